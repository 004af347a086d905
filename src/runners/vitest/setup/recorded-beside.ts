import * as posix from 'node:path/posix'
import type { RunnerTestFile } from 'vitest'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { firstPromptsOfLone, hashesAnswered } from '../../../cassette/orphans.ts'
import { cassettePathIn, cassettePaths } from '../../../cassette/paths.ts'
import { CassetteStore } from '../../../cassette/store.ts'
import type { TestPlace } from '../../../cassette/test-place.ts'
import { join } from '../../../real/path.ts'
import { rememberFor } from '../../../remember.ts'
import { placesOfFile } from './place-of-test.ts'

/** What is recorded for the tests of a file. Each cassette is read once, however many of the tests fail. */
export class RecordedBeside {
  readonly store: CassetteStore
  readonly #folder: string
  readonly #root: string
  readonly #places: readonly TestPlace[]
  #byPrompt?: ReadonlyMap<string, TestPlace[]>
  #lone?: ReadonlyMap<string, string | undefined>

  constructor(file: RunnerTestFile, root: string, config: ResolvedConfig) {
    const { dir, maxCassetteBytes } = config
    this.store = new CassetteStore(root, dir, maxCassetteBytes)
    this.#folder = join(root, dir)
    this.#root = root
    this.#places = placesOfFile(file, root)
  }

  /** The tests that have a prompt in their cassettes. */
  testsWith(hash: string): readonly TestPlace[] {
    this.#byPrompt ??= this.#readPrompts()
    return this.#byPrompt.get(hash) ?? []
  }

  /** The path of the cassette of a test. */
  pathOf(place: TestPlace): string {
    return cassettePathIn(this.#folder, place)
  }

  /** The cassettes without a test that a test of the file may have had before it was renamed, with their first prompts. */
  lone(place: string): ReadonlyMap<string, string | undefined> {
    this.#lone ??= firstPromptsOfLone(
      this.store,
      this.#root,
      posix.dirname(place),
      new Set(this.#places.flatMap(cassettePaths)),
    )
    return this.#lone
  }

  #readPrompts(): Map<string, TestPlace[]> {
    const byPrompt = new Map<string, TestPlace[]>()
    for (const place of this.#places)
      for (const hash of new Set(hashesAnswered(this.store, this.pathOf(place)))) {
        const known = hash === undefined ? undefined : byPrompt.get(hash)
        if (known) known.push(place)
        else if (hash !== undefined) byPrompt.set(hash, [place])
      }
    return byPrompt
  }
}

const ofFile = rememberFor((_file: RunnerTestFile) => new Map<string, RecordedBeside>())

/** What is recorded for the tests of a file, in the cassette folder of one of them. */
export function recordedBeside(
  file: RunnerTestFile,
  root: string,
  config: ResolvedConfig,
): RecordedBeside {
  const known = ofFile(file)
  let beside = known.get(config.dir)
  if (!beside) known.set(config.dir, (beside = new RecordedBeside(file, root, config)))
  return beside
}
