import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE_FOLDER } from '../config/folders.ts'
import { isJsonObject, tryParseJson } from '../json/json-value.ts'
import { sha256 } from '../prompt/sha256.ts'
import type { Fate, Mutant } from './mutant.ts'

const FATES: ReadonlySet<unknown> = new Set<Fate>(['assertion', 'requests', 'survived'])

/** What earlier runs found out, as long as a test, what it loads and its cassette stay as they were. Kept outside git. */
export class KnownFates {
  readonly #file: string
  readonly #known: Map<string, Fate>

  /** @param forget what is known does not count */
  constructor(cwd: string, forget: boolean) {
    this.#file = join(cwd, CACHE_FOLDER, 'mutants.json')
    this.#known = new Map(forget ? [] : readFates(this.#file))
  }

  /** @param version tells a test and its cassette from what they were before */
  get(version: string, mutant: Mutant): Fate | undefined {
    return this.#known.get(keyOf(version, mutant))
  }

  /** Notes what a test made of a mutant. */
  set(version: string, mutant: Mutant, fate: Fate): void {
    this.#known.set(keyOf(version, mutant), fate)
  }

  /** What was noted does not count. */
  forget(version: string, mutant: Mutant): void {
    this.#known.delete(keyOf(version, mutant))
  }

  /** Writes what is known. They are a convenience: where nothing can be written, all is asked again. */
  save(): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(this.#file, JSON.stringify(Object.fromEntries(this.#known)))
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
