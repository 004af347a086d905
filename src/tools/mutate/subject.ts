import { existsSync, readFileSync } from 'node:fs'
import type { Cassette } from '../../cassette/cassette.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type { KnownFates } from './known-fates.ts'
import type { TestLine } from './mutant-lines.ts'
import type { Fate, Mutant } from './mutant.ts'
import type { JudgedTest } from './score.ts'

/** A test that passes as recorded, with the mutants that are still to be tried. */
export class Subject {
  readonly judged: JudgedTest
  readonly line: TestLine
  readonly cassette: Cassette
  /** The mutants to try, in order. */
  readonly open: Mutant[] = []
  readonly #known: KnownFates
  /** Changes with the test, the files that it loads and its cassette. */
  readonly #version: string
  #tried: Mutant[] = []

  /** @param mutants those with a result of an earlier run are not tried again */
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

  /** The first open mutant, or one that was tried already, while it is unknown whether other tests notice. */
  get next(): Mutant | undefined {
    return this.open[0] ?? this.#tried[0]
  }

  /** Notes the fate of the first open mutant. */
  end(fate: Fate): void {
    const mutant = this.open.shift()
    if (!mutant) return
    this.#tried.push(mutant)
    this.#judge(mutant, fate)
    this.#known.set(this.#version, mutant, fate)
  }

  /** Notes the reason why a recorded answer is not changed. */
  leaveOut(exchange: string, reason: string): void {
    const { judged, open } = this
    open.splice(0, Infinity, ...open.filter((mutant) => mutant.exchange !== exchange))
    judged.leftOut = judged.leftOut ? `${judged.leftOut}; ${reason}` : reason
  }

  /** Puts all mutants of this run back. */
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
