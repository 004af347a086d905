import { Threads, type LinkedStep } from '../conversation/threads.ts'
import type { Step } from '../conversation/step.ts'
import type { Dialect } from '../providers/dialect.ts'
import type { Completion } from '../prompt/completion.ts'
import { rememberFor } from '../remember.ts'
import type { WireResponse } from '../wire/message.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Incoming } from '../engine/incoming.ts'
import { dialectFor, promptFor } from '../engine/read-prompt.ts'

/** A request of this attempt, as it is linked into a conversation. */
export interface AskedStep extends Step {
  /** Absent for a request that is still to be answered. */
  asked?: AskedRequest
}

/** A request whose answer is still arriving, as it was linked. */
interface Waiting {
  asked: AskedRequest
  linked: LinkedStep<AskedStep>
  response: WireResponse | undefined
}

/** The completion of a request that is not answered yet. */
const NOTHING: Completion = { text: '', toolCalls: [], finishReasons: [] }

/** The conversations of an attempt, in which each request is linked once. */
export const askedThreadsOf: (course: { arrived: readonly AskedRequest[] }) => AskedThreads =
  rememberFor(({ arrived }) => new AskedThreads(arrived))

/** The conversations of an attempt that is still running. */
class AskedThreads {
  readonly #asked: readonly AskedRequest[]
  readonly #threads: Threads<AskedStep> = new Threads()
  readonly #linked: Array<LinkedStep<AskedStep>> = []
  #waiting: Waiting[] = []

  /** @param asked the requests so far; the list grows while the attempt runs */
  constructor(asked: readonly AskedRequest[]) {
    this.#asked = asked
  }

  /** The requests so far, in order of arrival. */
  get linked(): ReadonlyArray<LinkedStep<AskedStep>> {
    this.#catchUp()
    return this.#linked
  }

  /** The step that the request to be answered now continues. */
  before(incoming: Incoming): LinkedStep<AskedStep> | undefined {
    this.#catchUp()
    return this.#threads.before(stepOf(incoming))
  }

  #catchUp(): void {
    for (const one of this.#waiting) {
      const { response } = one.asked.recording!
      if (response === one.response) continue
      this.#threads.renew(one.linked, askedStep(one.asked))
      one.response = response
    }
    this.#waiting = this.#waiting.filter(({ asked }) => isOpen(asked))
    for (const asked of this.#asked.slice(this.#linked.length)) {
      const linked = this.#threads.add(askedStep(asked))
      this.#linked.push(linked)
      if (isOpen(asked)) this.#waiting.push({ asked, linked, response: asked.recording?.response })
    }
  }
}

/** A request that was answered, or is being answered, in this attempt. */
export function askedStep(asked: AskedRequest): AskedStep {
  const { incoming, response } = asked.recording ?? asked
  return { ...stepOf(incoming, response), asked }
}

/** True for a request that was sent to the provider. */
export function isLive({ asked }: AskedStep): boolean {
  return asked?.recording !== undefined
}

/** An answer over a socket grows, and its duration is known at its end. */
function isOpen({ recording }: AskedRequest): boolean {
  return recording !== undefined && recording.durationMs === undefined
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
