import { fateOf, type TestLine } from './mutant-lines.ts'
import type { Fate } from './mutant.ts'
import type { Subject } from './subject.ts'

/** How the tests of one run ended, by cassette; a test that did not end has no line. */
type Ended = ReadonlyMap<string, TestLine>

/**
 * Chooses the tests of a file whose answers are changed in one run: many at once, as long as no test notices a change
 * of another one. In the first runs half of the tests are as recorded, each time another half, so that any two tests
 * are told apart.
 */
export class Rounds {
  readonly #subjects: readonly Subject[]
  #round = 0
  /** Whether its tests depend on each other. Then one answer is changed at a time, and any test may notice. */
  #tied = false

  /** @param subjects the tests of one file */
  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects
  }

  /** The tests whose answers are changed in the next run; empty at the end. */
  next(): Subject[] {
    const open = this.#subjects.filter((one) => one.open.length > 0)
    if (this.#tied) return open.slice(0, 1)
    const round = this.#round++
    const bits = Math.ceil(Math.log2(this.#subjects.length))
    if (round >= 2 * bits) return open
    const half = this.#subjects.filter(
      (one, index) => one.next !== undefined && ((index >> (round >> 1)) & 1) === (round & 1),
    )
    return half.length > 0 ? half : this.next()
  }

  /** Notes the results of a run in which the answers of these tests were changed. */
  end(tried: readonly Subject[], ended: Ended): void {
    const lineOf = (one: Subject): TestLine | undefined => ended.get(one.line.cassette)
    if (this.#tied) {
      const fates = [...tried, ...this.#others(tried)].map((one) => fateOfLine(lineOf(one)))
      return tried[0]?.end(fates.find((fate) => fate !== 'survived') ?? 'survived')
    }
    // A test that hangs takes its worker with it, and several could be the cause.
    const isTied = tried.every(lineOf)
      ? this.#others(tried).some((one) => !lineOf(one)?.passed)
      : tried.length > 1
    if (!isTied) return tried.forEach((one) => one.end(fateOfLine(lineOf(one))))
    this.#tied = true
    for (const one of this.#subjects) one.startAgain()
  }

  #others(tried: readonly Subject[]): Subject[] {
    return this.#subjects.filter((one) => !tried.includes(one))
  }
}

function fateOfLine(line: TestLine | undefined): Fate {
  return line ? fateOf(line) : 'assertion'
}
