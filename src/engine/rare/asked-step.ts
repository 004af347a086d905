import type { Step } from '../../conversation/threads/step.ts'
import type { Dialect } from '../../dialects/kit/dialect.ts'
import type { Completion } from '../../prompt/completion.ts'
import { rememberFor } from '../../remember.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Asked } from '../asked.ts'
import type { Incoming } from '../incoming.ts'
import { dialectFor, promptFor } from '../reading/read-prompt.ts'

/** A request of this attempt, as it is linked into a conversation. */
export interface AskedStep extends Step {
  /** Absent for a request that is still to be answered. */
  asked?: Asked
}

/** The completion of a request that is not answered yet. */
const NOTHING: Completion = { text: '', toolCalls: [], finishReasons: [] }

/** A request that was answered, or is being answered, in this attempt. */
export function askedStep(asked: Asked): AskedStep {
  if (asked.replayed) return { ...stepOf(asked.incoming, asked.response), asked }
  const { incoming, response } = asked.recording
  return { ...stepOf(incoming, response), asked }
}

/** A request that is to be answered now. */
export function askingStep(incoming: Incoming): AskedStep {
  return stepOf(incoming)
}

/** True for a request that was sent to the provider. */
export function isLive({ asked }: AskedStep): boolean {
  return asked?.recording !== undefined
}

function stepOf(incoming: Incoming, response?: WireResponse): Step {
  const { wire, after, hash } = incoming
  return {
    // The next request on a socket names this one by its hash.
    id: hash,
    prompt: promptFor(incoming),
    completion: response ? readerOf(dialectFor(incoming))(response) : NOTHING,
    wire: { request: after === undefined ? wire : { ...wire, after }, response },
  }
}

/** Reads each answer once, since every later prompt is compared with it. */
const readerOf = rememberFor((dialect: Dialect) =>
  rememberFor((response: WireResponse) => dialect.readCompletion(response)),
)
