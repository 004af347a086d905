import type { Exchange } from '../cassette/cassette.ts'
import { copyPlain } from '../json/copy-plain.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import type { Recording } from './recording.ts'

/** A request that was answered in this attempt, in the order asked. */
export type Asked = { order: number } & (
  | { replayed: Exchange; incoming: Incoming; response: WireResponse; recording?: undefined }
  | { replayed?: undefined; recording: Recording }
)

/** What a test asked, and what it got. */
export interface AskedExchange {
  /** What this run asked, as its dialect reads it. */
  prompt: Prompt
  /** The answer, whole also where it was streamed and the application left early. */
  completion: Completion
  /** Whether the answer came from the cassette or, in this run, from the provider. */
  source: 'replayed' | 'recorded'
  /** The HTTP status of the answer. */
  status: number
  /** Milliseconds from the request to the end of the answer when it was recorded, where that is known. */
  durationMs?: number
}

/** One reading for each request, so that the same exchange is the same object. */
const known = new WeakMap<Asked, AskedExchange>()

/** Reads a request with its answer; `undefined` while the answer is still arriving. */
export function readAsked(asked: Asked): AskedExchange | undefined {
  const read = known.get(asked)
  if (read) return read
  const { replayed, recording } = asked
  if (replayed) {
    const { incoming, response } = asked
    return remember(asked, 'replayed', incoming, response, replayed.response.duration_ms)
  }
  const { incoming, response, durationMs } = recording
  if (!response || durationMs === undefined) return undefined
  return remember(asked, 'recorded', incoming, response, durationMs)
}

function remember(
  asked: Asked,
  source: AskedExchange['source'],
  { prompt, dialect }: Incoming,
  response: WireResponse,
  durationMs: number | undefined,
): AskedExchange {
  const completion = dialect.readCompletion(response)
  const exchange: AskedExchange = {
    ...copyPlain({ prompt, completion }),
    source,
    status: response.status,
    ...(durationMs === undefined ? {} : { durationMs }),
  }
  known.set(asked, exchange)
  return exchange
}
