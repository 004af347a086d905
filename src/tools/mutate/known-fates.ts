import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE_FOLDER } from '../../config/paths.ts'
import { isJsonObject, tryParseJson } from '../../json/json-value.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { writeNote } from '../../secrets/notes.ts'
import type { Fate, Mutant } from './mutant.ts'

const FATES: ReadonlySet<unknown> = new Set<Fate>(['assertion', 'requests', 'survived'])

/**
 * The results of earlier runs. They hold as long as a test, the files that it loads and its cassette do not change.
 * Kept outside git.
 */
export class KnownFates {
  readonly #file: string
  readonly #known: Map<string, Fate>

  /** @param forget whether earlier results are ignored */
  constructor(cwd: string, forget: boolean) {
    this.#file = join(cwd, CACHE_FOLDER, 'mutants.json')
    this.#known = new Map(forget ? [] : readFates(this.#file))
  }

  /** @param version changes with a test, the files that it loads and its cassette */
  get(version: string, mutant: Mutant): Fate | undefined {
    return this.#known.get(keyOf(version, mutant))
  }

  /** Notes the fate of a mutant. */
  set(version: string, mutant: Mutant, fate: Fate): void {
    this.#known.set(keyOf(version, mutant), fate)
  }

  /** Forgets the fate of a mutant. */
  forget(version: string, mutant: Mutant): void {
    this.#known.delete(keyOf(version, mutant))
  }

  /** Writes the results. Where they cannot be written, the next run tries all mutants again. */
  save(): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeNote(this.#file, JSON.stringify(Object.fromEntries(this.#known)))
    } catch {}
  }
}

function keyOf(version: string, { exchange, what, response }: Mutant): string {
  return sha256(JSON.stringify([version, exchange, what, response])).slice(0, 32)
}

function readFates(file: string): Array<[string, Fate]> {
  try {
    const value = tryParseJson(readFileSync(file, 'utf8'))
    if (value === undefined || !isJsonObject(value)) return []
    return Object.entries(value).filter((entry): entry is [string, Fate] => FATES.has(entry[1]))
  } catch {
    return []
  }
}
