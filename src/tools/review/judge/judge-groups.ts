import type { Change } from '../../../diff/change.ts'
import type { CassetteComparison } from '../../compare/compare-cassettes.ts'
import { groupChanges, type Group } from '../group-changes.ts'
import type { Marks } from './marks.ts'
import type { PendingRecording } from './recording.ts'

export type Decision = 'accept' | 'reject' | 'skip' | 'each' | 'quit'

/** A group that waits for a verdict. */
export interface GroupQuestion {
  group: Group
  /** Whether its recordings lie outside of git. */
  isKept: boolean
  /** How many of its recordings have other changes too, which are rejected with this group. */
  others: number
  /** How many groups are left, this one included. */
  left: number
}

/** Asks a person at a terminal for verdicts. */
export interface Judge {
  ask(question: GroupQuestion): Promise<Decision>
  /** Reports a failed action. */
  warn(text: string): void
}

/** The result of a review. */
export interface ReviewResult {
  accepted: PendingRecording[]
  rejected: PendingRecording[]
  left: number
  /** The paths of the copies of the rejected ones. */
  copies: string[]
}

/** Asks for a verdict on each group. Each verdict is written at once, so that an interrupted review loses nothing. */
export class Review {
  readonly #recordings: Map<CassetteComparison, PendingRecording>
  readonly #marks: Marks
  readonly #judge: Judge
  readonly #outcome: ReviewResult = { accepted: [], rejected: [], left: 0, copies: [] }
  /** The keys of the changes of each recording that wait for a verdict. */
  readonly #open: Map<PendingRecording, Set<string>>

  constructor(recordings: readonly PendingRecording[], marks: Marks, judge: Judge) {
    this.#recordings = new Map(recordings.map((one) => [one.comparison, one]))
    this.#marks = marks
    this.#judge = judge
    this.#open = new Map(
      recordings.map((one) => {
        const changes = one.comparison.changes.filter((change) => !marks.has(one, change))
        // A kept recording with all changes accepted could not be written, so it is asked for again.
        const open = changes.length === 0 && one.isKept ? one.comparison.changes : changes
        return [one, new Set(open.map(({ key }) => key))]
      }),
    )
    for (const [recording, changes] of this.#open)
      if (changes.size === 0) this.#open.delete(recording)
  }

  /** How many recordings wait for a verdict. */
  get size(): number {
    return this.#open.size
  }

  async run(): Promise<ReviewResult> {
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

  /** The groups, those of the working tree first: the recordings of failed tests are rarely wanted. */
  #groups(): Group[] {
    return [false, true].flatMap((isKept) => {
      const open = [...this.#open].filter(([recording]) => recording.isKept === isKept)
      return groupChanges(open.map(([{ comparison }]) => comparison))
    })
  }

  /** The group without the cassettes that are judged by now; `undefined` if none is left. */
  #stillOpen({ changes, cassettes }: Group): Group | undefined {
    const open = cassettes.filter((one) => changes.some(({ key }) => this.#isOpen(one, key)))
    return open.length > 0 ? { changes, cassettes: open } : undefined
  }

  #isOpen(cassette: CassetteComparison, key: string): boolean {
    return this.#open.get(this.#recordings.get(cassette)!)?.has(key) === true
  }

  #question(group: Group, left: number): GroupQuestion {
    const { changes, cassettes } = group
    const own = new Set(changes.map(({ key }) => key))
    const others = cassettes.filter((one) => one.changes.some(({ key }) => !own.has(key))).length
    const { isKept } = this.#recordings.get(cassettes[0]!)!
    return { group, isKept, others, left }
  }

  async #accept({ changes, cassettes }: Group): Promise<void> {
    const recordings = cassettes.map((one) => this.#recordings.get(one)!)
    const marks = recordings.flatMap((one) =>
      changes.map((change): [PendingRecording, Change] => [one, change]),
    )
    await this.#marks.add(marks, this.#recordings.values())
    for (const recording of recordings) {
      const open = this.#open.get(recording)!
      for (const { key } of changes) open.delete(key)
      // A recording is accepted as a whole, once no change of it waits for a verdict.
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
    recording: PendingRecording,
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
