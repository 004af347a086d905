import { linkThreads, type Thread } from '../conversation/link-threads.ts'
import { readSteps, type RecordedStep } from '../conversation/step.ts'
import { stepsBefore } from '../conversation/steps-before.ts'
import { askedStep, isLive } from './asked-step.ts'
import { findClosest } from './closest.ts'
import type { Incoming } from './incoming.ts'
import type { Recorded } from './match.ts'
import type { Session } from './session.ts'

/** Where a conversation left its recording and went on live. */
export interface HandOver {
  /** The first prompt that the recording does not know. */
  incoming: Incoming
  /** What was recorded in its place; absent where the recording had ended. */
  recorded?: Recorded
  /** Its place in the conversation, counted from 1. */
  at: number
  /** How many exchanges the recorded conversation has. */
  of: number
  /** What the recording says from there on, and nobody asked for. */
  stale: Recorded[]
}

/** A step of a recorded conversation, and its place there. */
interface Place {
  thread: Thread<RecordedStep>
  index: number
  recorded: Recorded
}

/** The conversations of an attempt in mode `new` that left what was recorded of them, in the order asked. */
export function handOversOf(session: Session): HandOver[] {
  const { config, cassette, asked } = session
  if (config.mode !== 'new' || !cassette || !asked.some(({ recording }) => recording)) return []
  const live = linkThreads(asked.map(askedStep))
  const recordings = new RecordedThreads(session, linkThreads(readSteps(cassette)))
  return live.flatMap((thread) => {
    const index = thread.steps.findIndex(({ step }) => isLive(step))
    const before = stepsBefore(live, thread, index)
    if (index < 0 || before.some(isLive)) return []
    const { recording } = thread.steps[index]!.step.asked!
    const last = before.at(-1)?.asked?.replayed
    return recordings.leave(recording!.incoming, last?.id) ?? []
  })
}

/** The conversations of a cassette; each is left once. */
class RecordedThreads {
  readonly #session: Session
  readonly #threads: Array<Thread<RecordedStep>>
  readonly #left: Set<Recorded> = new Set()

  constructor(session: Session, threads: Array<Thread<RecordedStep>>) {
    this.#session = session
    this.#threads = threads
  }

  /**
   * Where a conversation leaves its recording with a prompt; `undefined` for one that has none.
   *
   * @param last the exchange that was replayed before it
   */
  leave(incoming: Incoming, last: string | undefined): HandOver | undefined {
    const places = this.#threads.flatMap((thread) =>
      thread.steps.map(({ step }, index) => ({ thread, index, recorded: this.#recordedOf(step) })),
    )
    const next = places.filter(
      (place) =>
        !place.recorded.played && !this.#left.has(place.recorded) && this.#lastOf(place) === last,
    )
    // Where several could be meant, only which diff is shown depends on it.
    const closest = findClosest(
      this.#session,
      next.map(({ recorded }) => recorded),
      incoming,
    )
    const place = next.find(({ recorded }) => recorded === closest?.recorded)
    if (!place) return last === undefined ? undefined : this.#goOn(incoming, last)
    this.#left.add(place.recorded)
    const { thread, index, recorded } = place
    const earlier = stepsBefore(this.#threads, thread, index).length
    return {
      incoming,
      recorded,
      at: earlier + 1,
      of: earlier + thread.steps.length - index,
      stale: places
        .filter((other) => other.recorded === recorded || this.#follows(other, recorded))
        .map((other) => other.recorded)
        .filter(({ played }) => !played),
    }
  }

  /** Past the end of a recording; where another went on from there, this one has no recording. */
  #goOn(incoming: Incoming, last: string): HandOver | undefined {
    const thread = this.#threads.find(({ steps }) => steps.at(-1)?.step.id === last)
    if (!thread) return undefined
    const of = stepsBefore(this.#threads, thread, thread.steps.length).length
    return { incoming, at: of + 1, of, stale: [] }
  }

  #lastOf({ thread, index }: Place): string | undefined {
    return stepsBefore(this.#threads, thread, index).at(-1)?.id
  }

  #follows({ thread, index }: Place, recorded: Recorded): boolean {
    const before = stepsBefore(this.#threads, thread, index)
    return before.some(({ exchange }) => exchange === recorded.exchange)
  }

  #recordedOf({ exchange }: RecordedStep): Recorded {
    return this.#session.recorded.find((recorded) => recorded.exchange === exchange)!
  }
}
