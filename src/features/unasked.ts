import { isRecorded } from '../cassette/cassette.ts'
import { comparableTo, type Incoming } from '../engine/incoming.ts'
import type { Course } from '../engine/rare-cases.ts'
import { dialectFor, promptFor } from '../engine/read-prompt.ts'
import { isUnaskedExchange, type Recorded } from '../engine/recorded.ts'
import { canBeWritten } from './hand-written.ts'
import type { BodyKind } from '../wire/imported.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'

/** The first unused exchange without a known prompt that fits a request in all that is known of it. */
export function findUnasked(
  { unused }: Pick<Course, 'unused'>,
  incoming: Incoming,
): Recorded | undefined {
  return unused.find((recorded) => {
    const { exchange } = recorded
    return (
      isUnaskedExchange(recorded) &&
      fitsRequest(recorded.incoming!, incoming) &&
      (isRecorded(exchange)
        ? fitsAnswer(recorded.incoming!.wire, exchange.wire.response, incoming)
        : canBeWritten(incoming))
    )
  })
}

/** Whether method, address and kind of body are those of a request, as far as they are known. */
function fitsRequest(known: Incoming, asked: Incoming): boolean {
  const form = comparableTo(known, asked)
  const { kind } = known.wire.imported!
  return (kind === undefined || kind === kindOf(asked.wire)) && placeOf(known) === placeOf(form)
}

/** All of a request but its headers and its body. */
function placeOf({ canonical: { method, endpoint, path, query } }: Incoming): string {
  return JSON.stringify([method, endpoint, path, query])
}

function kindOf({ body }: WireRequest): BodyKind | undefined {
  if (body.kind === 'form') return 'form'
  return body.kind === 'json' ? 'json' : undefined
}

/** Whether a request can get an answer: streamed if it asks for that, and in its format if no address tells that. */
function fitsAnswer({ imported }: WireRequest, answer: WireResponse, asked: Incoming): boolean {
  const isError = answer.status >= 400
  if (!isError && promptFor(asked).parameters.stream === true && answer.body.kind === 'json')
    return false
  if (!imported!.unknown!.includes('path') || isError) return true
  const dialect = dialectFor(asked)
  const { text, reasoning, toolCalls, finishReasons, usage } = dialect.readCompletion(answer)
  const said = [text, reasoning, ...toolCalls, ...finishReasons, usage]
  return dialect.name === 'generic' || said.some((one) => one !== undefined && one !== '')
}
