import type { Change } from '../change.ts'
import type { Comparison } from '../compare-cassettes.ts'
import { groupChanges, type Group } from '../group-changes.ts'
import type { Marks } from './marks.ts'
import type { Recording } from './recording.ts'

export type Verdict = 'accept' | 'reject' | 'skip' | 'each' | 'quit'

/** A group that waits for a verdict. */
export interface Question {
  group: Group
  /** Whether its recordings lie outside of git. */
  isKept: boolean
  /** How many of its recordings have other changes, which share their fate. */
  others: number
  /** How many groups are left, this one included. */
  left: number
}

/** Who judges: a person at a terminal. */
export interface Judge {
  ask(question: Question): Promise<Verdict>
  /** What could not be done. */
  warn(text: string): void
}

/** What became of the recordings. */
export interface Outcome {
  accepted: Recording[]
  rejected: Recording[]
  left: number
  /** Where the copies of the rejected ones lie. */
  copies: string[]
}

/** Has each group judged. Each decision is written at once, so that stopping half-way loses nothing. */
export class Review {
  readonly #recordings: Map<Comparison, Recording>
  readonly #marks: Marks
  readonly #judge: Judge
  readonly #outcome: Outcome = { accepted: [], rejected: [], left: 0, copies: [] }
  /** What of each recording is not judged yet. */
  readonly #open: Map<Recording, Set<string>>

  constructor(recordings: readonly Recording[], marks: Marks, judge: Judge) {
    this.#recordings = new Map(recordings.map((one) => [one.comparison, one]))
    this.#marks = marks
    this.#judge = judge
    this.#open = new Map(
      recordings.map((one) => {
        const changes = one.comparison.changes.filter((change) => !marks.has(one, change))
        // One that was accepted and could not be written is asked for again.
        const open = changes.length === 0 && one.isKept ? one.comparison.changes : changes
        return [one, new Set(open.map(({ key }) => key))]
      }),
    )
    for (const [recording, changes] of this.#open)
      if (changes.size === 0) this.#open.delete(recording)
  }

  /** How many recordings wait. */
  get size(): number {
    return this.#open.size
  }

  async run(): Promise<Outcome> {
    const queue = this.#groups()
    while (queue.length > 0) {
      const group = this.#stillOpen(queue[0]!)
      if (!group) {
        queue.shift()
        continue
      }
      const verdict = await this.#judge.ask(this.#question(group, queue.length))
      if (verdict === 'quit') break
      queue.shift()
      if (verdict === 'each') queue.unshift(...singles(group))
      if (verdict === 'accept') await this.#accept(group)
      if (verdict === 'reject') await this.#reject(group)
    }
    this.#outcome.left = this.#open.size
    return this.#outcome
  }

  /** Those of the working tree first: what failed tests left is rarely meant. */
  #groups(): Group[] {
    return [false, true].flatMap((isKept) => {
      const open = [...this.#open].filter(([recording]) => recording.isKept === isKept)
      return groupChanges(open.map(([{ comparison }]) => comparison))
    })
  }

  /** The group without what is judged by now. */
  #stillOpen({ changes, cassettes }: Group): Group | undefined {
    const open = cassettes.filter((one) => changes.some(({ key }) => this.#isOpen(one, key)))
    return open.length > 0 ? { changes, cassettes: open } : undefined
  }

  #isOpen(cassette: Comparison, key: string): boolean {
    return this.#open.get(this.#recordings.get(cassette)!)?.has(key) === true
  }

  #question(group: Group, left: number): Question {
    const { changes, cassettes } = group
    const own = new Set(changes.map(({ key }) => key))
    const others = cassettes.filter((one) => one.changes.some(({ key }) => !own.has(key))).length
    const { isKept } = this.#recordings.get(cassettes[0]!)!
    return { group, isKept, others, left }
  }

  async #accept({ changes, cassettes }: Group): Promise<void> {
    const recordings = cassettes.map((one) => this.#recordings.get(one)!)
    const marks = recordings.flatMap((one) =>
      changes.map((change): [Recording, Change] => [one, change]),
    )
    await this.#marks.add(marks, this.#recordings.values())
    for (const recording of recordings) {
      const open = this.#open.get(recording)!
      for (const { key } of changes) open.delete(key)
      // A recording is taken whole: when nothing of it is left to judge.
      if (open.size === 0) await this.#settle(recording, 'accepted', () => recording.accept())
    }
  }

  async #reject({ cassettes }: Group): Promise<void> {
    for (const recording of cassettes.map((one) => this.#recordings.get(one)!))
      await this.#settle(recording, 'rejected', async () => {
        const copy = await recording.reject()
        if (copy !== undefined) this.#outcome.copies.push(copy)
      })
  }

  async #settle(
    recording: Recording,
    as: 'accepted' | 'rejected',
    act: () => Promise<void>,
  ): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#judge.warn(`${recording.comparison.name} stays as it is: ${(error as Error).message}`)
      return
    }
    this.#open.delete(recording)
    this.#outcome[as].push(recording)
  }
}

function singles({ changes, cassettes }: Group): Group[] {
  return cassettes.map((one) => ({ changes, cassettes: [one] }))
}
