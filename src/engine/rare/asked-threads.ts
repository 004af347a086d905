import { Threads, type LinkedStep } from '../../conversation/threads/link-threads.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Asked } from '../asked.ts'
import { askedStep, askingStep, type AskedStep } from './asked-step.ts'
import type { Incoming } from '../incoming.ts'
import { rememberFor } from '../../remember.ts'

/** A request whose answer is still arriving, as it was linked. */
interface Waiting {
  asked: Asked
  linked: LinkedStep<AskedStep>
  response: WireResponse | undefined
}

/** The conversations of an attempt that is still running; each request is linked once. */
class AskedThreads {
  readonly #asked: readonly Asked[]
  readonly #threads: Threads<AskedStep> = new Threads()
  readonly #linked: Array<LinkedStep<AskedStep>> = []
  #waiting: Waiting[] = []

  /** @param asked the requests so far; the list grows while the attempt runs */
  constructor(asked: readonly Asked[]) {
    this.#asked = asked
  }

  /** The requests so far, in order of arrival. */
  get linked(): ReadonlyArray<LinkedStep<AskedStep>> {
    this.#catchUp()
    return this.#linked
  }

  /** The step that a request continues, where that request is to be answered now. */
  before(incoming: Incoming): LinkedStep<AskedStep> | undefined {
    this.#catchUp()
    return this.#threads.before(askingStep(incoming))
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

/** An answer over a socket grows, and its duration is known at its end. */
function isOpen({ recording }: Asked): boolean {
  return recording !== undefined && recording.durationMs === undefined
}

/** The conversations of an attempt, in which each request is linked once. */
export const threadsOf: (course: { arrived: readonly Asked[] }) => AskedThreads = rememberFor(
  ({ arrived }) => new AskedThreads(arrived),
)
