import type { Message } from '../../prompt/prompt.ts'
import { continues, spokenOf, type Continuation, type Spoken } from './continuation.ts'
import { PlaceIndex } from './place-index.ts'
import { idsAfter, idsBefore } from './thread-ids.ts'
import type { Step } from './step.ts'

/** One conversation among the exchanges of a test. */
export interface Thread<S extends Step = Step> {
  /** `thread-1`, `thread-2`, … in the order in which they begin. */
  id: string
  /** The thread and the number of the step that this thread branches from. */
  branchOf?: { thread: string; step: number }
  steps: Array<LinkedStep<S>>
}

/** A step, with the messages that it adds to its thread. */
export interface LinkedStep<S extends Step = Step> {
  step: S
  /** The step that it continues: in its thread, or in the thread that its thread branches from. */
  before?: LinkedStep<S>
  /** The new messages, including instructions that are new or have changed. */
  fresh: Message[]
  /** The number of messages that the prompt before had and that the application dropped. */
  dropped: number
}

/** A linked step, with its position for later steps. */
interface Place<S extends Step> extends LinkedStep<S> {
  spoken: Spoken
  /** The index of its thread. */
  thread: number
  /** Its index in the thread. */
  position: number
  before?: Place<S>
}

interface Link<S extends Step> {
  place: Place<S>
  found: Continuation
}

/**
 * Links exchanges into conversations: by the ids of histories that the provider stores, by the
 * messages that a prompt has in common with an earlier one, and by the answer that it repeats.
 * Requests that share nothing but their instructions are conversations of their own.
 */
export function linkThreads<S extends Step>(steps: readonly S[]): Array<Thread<S>> {
  const threads = new Threads<S>()
  for (const step of steps) threads.add(step)
  return threads.list
}

/** Conversations that grow by one step after the other. */
export class Threads<S extends Step> {
  readonly list: Array<Thread<S>> = []
  readonly #lasts: Array<Place<S>> = []
  readonly #ends: PlaceIndex<Place<S>> = new PlaceIndex()
  readonly #earlier: PlaceIndex<Place<S>> = new PlaceIndex()
  /** The index of the thread that has an id; of several, the one that began last. */
  readonly #byId: Map<string, number> = new Map()

  /** Links one more step. */
  add(step: S): LinkedStep<S> {
    const spoken = spokenOf(step)
    const link = this.#linkOf(spoken)
    const goesOn = link && this.#isEnd(link.place)
    const thread = goesOn ? link.place.thread : this.#begin(link?.place)
    const found = link?.found ?? { fresh: spoken.dialog.messages, dropped: 0 }
    const isSame = link?.place.spoken.dialog.systemKey === spoken.dialog.systemKey
    const { steps } = this.list[thread]!
    const place: Place<S> = {
      step,
      fresh: isSame ? found.fresh : [...spoken.dialog.system, ...found.fresh],
      dropped: found.dropped,
      ...(link ? { before: link.place } : {}),
      spoken,
      thread,
      position: steps.length,
    }
    steps.push(place)
    this.#end(place)
    this.#addIds(step, thread)
    return place
  }

  /** The step that another one would continue. */
  before(step: S): LinkedStep<S> | undefined {
    return this.#linkOf(spokenOf(step))?.place
  }

  /** Replaces a step that waited for its answer by one whose answer has arrived. */
  renew(linked: LinkedStep<S>, step: S): void {
    const place = linked as Place<S>
    const index = this.#isEnd(place) ? this.#ends : this.#earlier
    index.delete(place)
    place.step = step
    place.spoken = spokenOf(step)
    index.add(place)
    this.#addIds(step, place.thread)
  }

  #isEnd(place: Place<S>): boolean {
    return this.#lasts[place.thread] === place
  }

  #end(place: Place<S>): void {
    const last = this.#lasts[place.thread]
    if (last) {
      this.#ends.delete(last)
      this.#earlier.add(last)
    }
    this.#lasts[place.thread] = place
    this.#ends.add(place)
  }

  #begin(trunk: Place<S> | undefined): number {
    const thread: Thread<S> = { id: `thread-${this.list.length + 1}`, steps: [] }
    if (trunk) thread.branchOf = { thread: this.list[trunk.thread]!.id, step: trunk.position + 1 }
    return this.list.push(thread) - 1
  }

  #addIds(step: S, thread: number): void {
    for (const id of idsAfter(step))
      if ((this.#byId.get(id) ?? -1) < thread) this.#byId.set(id, thread)
  }

  /** The link to the end of a thread that a step continues, or else to the earlier step that it branches from. */
  #linkOf(next: Spoken): Link<S> | undefined {
    return (
      this.#linkById(next) ??
      bestOf(this.#ends.find(next), next) ??
      bestOf(this.#earlier.find(next), next)
    )
  }

  #linkById(next: Spoken): Link<S> | undefined {
    const threads = idsBefore(next.step).flatMap((id) => this.#byId.get(id) ?? [])
    const place = this.#lasts[threads.reduce((one, other) => Math.max(one, other), -1)]
    if (!place) return undefined
    // A history that the provider stores is not sent, unless the application sends it as well.
    const isSent = next.step.wire?.request.after === undefined
    const found = (isSent && continues(place.spoken, next)) || {
      echoes: false,
      overlap: 0,
      dropped: 0,
      fresh: next.dialog.messages,
    }
    return { place, found }
  }
}

/** The best link; of equally good ones, that of the thread that began first. */
function bestOf<S extends Step>(places: Iterable<Place<S>>, next: Spoken): Link<S> | undefined {
  let best: (Link<S> & { score: number[] }) | undefined
  for (const place of places) {
    const found = continues(place.spoken, next)
    if (!found) continue
    const score = [found.echoes ? 1 : 0, found.overlap, place.position, -place.thread]
    if (!best || compare(score, best.score) > 0) best = { place, found, score }
  }
  return best
}

function compare(one: number[], other: number[]): number {
  for (const [index, value] of one.entries()) {
    if (value !== other[index]) return value - other[index]!
  }
  return 0
}

/** The steps that a step continues, the nearest first. */
export function stepsBefore<S extends Step>(linked: LinkedStep<S>): S[] {
  const steps: S[] = []
  for (let { before } = linked; before; { before } = before) steps.push(before.step)
  return steps
}
