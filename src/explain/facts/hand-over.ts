import type { Exchange } from '../../cassette/cassette.ts'
import {
  linkThreads,
  type LinkedStep,
  type Thread,
  stepsBefore,
} from '../../conversation/threads.ts'
import { readSteps, type RecordedStep } from '../../conversation/step.ts'
import { askedStep, isLive } from '../../features/asked-threads.ts'
import { findClosest } from '../closest.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { isReplaceable, type Recorded } from '../../engine/recorded.ts'
import type { Session } from '../../engine/session.ts'

/** The point at which a conversation left its recording and continued live. */
export interface HandOver {
  /** The first prompt that the recording does not have. */
  incoming: Incoming
  /** The exchange recorded in its place; absent where the recording had ended. */
  recorded?: Recorded
  /** Its place in the conversation, counted from 1. */
  at: number
  /** How many exchanges the recorded conversation has. */
  of: number
  /** The recorded exchanges from there on that were not played. */
  stale: Recorded[]
}

/** The conversations of an attempt in mode `new` that left their recording, in the order asked. */
export function handOversOf(session: Session): HandOver[] {
  const { config, cassette, asked } = session
  if (config.mode !== 'new' || !cassette || !asked.some(({ recording }) => recording)) return []
  const live = linkThreads(asked.map(askedStep))
  const recordings = new RecordedThreads(session, linkThreads(readSteps(cassette)))
  return live.flatMap((thread) => {
    const left = thread.steps.find(({ step }) => isLive(step))
    if (!left || stepsBefore(left).some(isLive)) return []
    const { recording } = left.step.asked!
    return recordings.leave(recording!.incoming, left.before?.step.asked?.replayed?.id) ?? []
  })
}

/** A step of a recorded conversation. */
type Place = LinkedStep<RecordedStep>

/** The number of recorded exchanges with which a prompt is compared at most. */
const MAX_COMPARED = 100

/** The conversations of a cassette; each is left once. */
class RecordedThreads {
  readonly #session: Session
  readonly #threadOf: ReadonlyMap<Place, Thread<RecordedStep>>
  readonly #recorded: ReadonlyMap<Exchange, Recorded>
  /** The steps by the exchange that they continue. */
  readonly #next: ReadonlyMap<string | undefined, Place[]>
  readonly #left: Set<Recorded> = new Set()

  constructor(session: Session, threads: Array<Thread<RecordedStep>>) {
    this.#session = session
    this.#threadOf = new Map(
      threads.flatMap((thread) => thread.steps.map((place) => [place, thread] as const)),
    )
    this.#recorded = new Map(session.recorded.map((recorded) => [recorded.exchange, recorded]))
    this.#next = Map.groupBy(this.#threadOf.keys(), ({ before }) => before?.step.id)
  }

  /**
   * The point where a conversation leaves its recording with a prompt; `undefined` without a recording.
   *
   * @param last the exchange that was replayed before it
   */
  leave(incoming: Incoming, last: string | undefined): HandOver | undefined {
    const next = new Map(
      (this.#next.get(last) ?? [])
        .map((place) => [this.#recordedOf(place), place] as const)
        .filter(([recorded]) => !recorded.played && !this.#left.has(recorded)),
    )
    // The choice among several candidates decides which diff is shown and which exchanges are stale.
    const among = [...next.keys()].slice(0, MAX_COMPARED)
    const recorded = findClosest(this.#session, among, incoming)?.recorded
    if (!recorded) return last === undefined ? undefined : this.#goOn(incoming, last)
    this.#left.add(recorded)
    const place = next.get(recorded)!
    const earlier = stepsBefore(place).length
    const { steps } = this.#threadOf.get(place)!
    const following = this.#from(place).map((other) => this.#recordedOf(other))
    return {
      incoming,
      recorded,
      at: earlier + 1,
      of: earlier + steps.length - steps.indexOf(place),
      stale: following.filter((one) => !one.played && isReplaceable(one)),
    }
  }

  /** A place and all places that continue it. */
  #from(place: Place): Place[] {
    const found = new Set([place])
    for (const { step } of found) for (const next of this.#next.get(step.id) ?? []) found.add(next)
    return [...found]
  }

  /** The hand-over at the end of a recording; `undefined` where the recorded conversation continues there. */
  #goOn(incoming: Incoming, last: string): HandOver | undefined {
    const end = [...this.#threadOf.keys()].find(({ step }) => step.id === last)
    if (!end || this.#threadOf.get(end)!.steps.at(-1) !== end) return undefined
    const of = stepsBefore(end).length + 1
    return { incoming, at: of + 1, of, stale: [] }
  }

  #recordedOf({ step }: Place): Recorded {
    return this.#recorded.get(step.exchange)!
  }
}
