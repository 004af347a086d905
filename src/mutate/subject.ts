import { existsSync, readFileSync } from 'node:fs'
import type { Cassette } from '../cassette/format/cassette.ts'
import { sha256 } from '../prompt/sha256.ts'
import type { KnownFates } from './known-fates.ts'
import type { TestLine } from './mutant-lines.ts'
import type { Fate, Mutant } from './mutant.ts'
import type { JudgedTest } from './score.ts'

/** A test that passes as it is recorded, and what is still to be tried on it. */
export class Subject {
  readonly judged: JudgedTest
  readonly line: TestLine
  readonly cassette: Cassette
  /** In the order in which they are tried. */
  readonly open: Mutant[] = []
  readonly #known: KnownFates
  /** Tells the test from what it was before. */
  readonly #version: string
  #tried: Mutant[] = []

  /** @param mutants what it is tried on, without those of which an earlier run knows */
  constructor(
    judged: JudgedTest,
    line: TestLine,
    cassette: Cassette,
    mutants: readonly Mutant[],
    known: KnownFates,
  ) {
    this.judged = judged
    this.line = line
    this.cassette = cassette
    this.#known = known
    const texts = line.files
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
    this.#version = sha256(JSON.stringify([cassette.exchanges, ...texts.toSorted()]))
    for (const mutant of mutants) {
      const fate = known.get(this.#version, mutant)
      if (fate) this.#judge(mutant, fate)
      else this.open.push(mutant)
    }
  }

  /** The first open mutant, or one that was tried already: whether others notice is not yet known. */
  get next(): Mutant | undefined {
    return this.open[0] ?? this.#tried[0]
  }

  /** Notes what became of the first open mutant. */
  end(fate: Fate): void {
    const mutant = this.open.shift()
    if (!mutant) return
    this.#tried.push(mutant)
    this.#judge(mutant, fate)
    this.#known.set(this.#version, mutant, fate)
  }

  /** Says of an answer of the recording why none other is tried in its place. */
  leaveOut(exchange: string, reason: string): void {
    const { judged, open } = this
    open.splice(0, Infinity, ...open.filter((mutant) => mutant.exchange !== exchange))
    judged.leftOut = judged.leftOut ? `${judged.leftOut}; ${reason}` : reason
  }

  /** Everything that was tried now is to be tried again. */
  startAgain(): void {
    const { mutants } = this.judged
    mutants.length -= this.#tried.length
    for (const mutant of this.#tried) this.#known.forget(this.#version, mutant)
    this.open.unshift(...this.#tried)
    this.#tried = []
  }

  #judge({ exchange, what }: Mutant, fate: Fate): void {
    this.judged.mutants.push({ exchange, what, fate })
  }
}
