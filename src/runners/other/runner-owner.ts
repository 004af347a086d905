import { join } from '../../real/path.ts'
import { escapeInSlashes } from '../../text/escape-pattern.ts'
import type { LateListener, Owner } from '../../attempt/owner.ts'
import { folderOfFile, type TestPlace } from '../../cassette/test-place.ts'
import { quoteWord } from '../../text/command-line.ts'
import { displayPath } from '../../config/paths.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { TestIdentity } from '../../engine/session-contract.ts'
import { existsSync } from '../../real/files.ts'
import { layers } from '../../transports/layers.ts'

/**
 * The command by which a runner runs a test alone, or a file.
 *
 * @param file relative to the working directory
 * @param titles those of the suites and of the test; empty for a file
 */
export type RunnerCommand = (file: string, titles: readonly string[]) => string

/** A test of another runner than Vitest, or its file outside of its tests, as the owner of a cassette. */
export class RunnerOwner implements Owner {
  readonly root: string
  readonly late: LateListener
  readonly #place: TestPlace
  readonly #recordCommand: (file: string) => string
  readonly #optionsOf: TestIdentity['optionsOf']

  /** @param recordCommand the command that records it, by its file as the user types it */
  constructor(
    place: TestPlace,
    root: string,
    late: LateListener,
    recordCommand: (file: string) => string,
    optionsOf?: TestIdentity['optionsOf'],
  ) {
    this.root = root
    this.late = late
    this.#place = place
    this.#recordCommand = recordCommand
    this.#optionsOf = optionsOf
  }

  test(dir: string): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.sealed()
    return {
      id: conversationId(this.#place),
      cassette: this.shown(`${dir}/${this.path(dir)}`),
      blobs: this.shown(`${dir}/blobs`),
      asked: this.shown(ASKED_PICTURES),
      recordCommand: this.#recordCommand(this.shown(this.#place.file)),
      optionsOf: this.#optionsOf,
    }
  }

  shown(path: string): string {
    return displayPath(process.cwd(), join(this.root, path))
  }

  path(dir: string): string {
    return layers.sealed().cassettePathIn(join(this.root, dir), this.#place)
  }

  /** Whether a run records other tests, and not this one. */
  isLeftOut({ run, dir }: ResolvedConfig): boolean {
    return run !== undefined && layers.replay().isLeftOut(run.folder, this.test(dir).cassette)
  }

  hasCassette({ dir }: ResolvedConfig): boolean {
    // Asked at the end of every test: the folder of its file is there for few.
    return this.#hasNeighbours(dir) && existsSync(join(this.root, dir, this.path(dir)))
  }

  /** Whether its code asks a provider: that of a file does so for any of its tests. */
  isRecorded(config: ResolvedConfig): boolean {
    const isFile = this.#place.titles.length === 0
    return isFile ? this.#hasNeighbours(config.dir) : this.hasCassette(config)
  }

  /** Whether any test of the same file has a cassette. */
  #hasNeighbours(dir: string): boolean {
    return existsSync(join(this.root, dir, folderOfFile(this.#place.file)))
  }
}

/**
 * The words by which a runner chooses a test by a pattern, after a space; none for a file. Each of these runners matches the
 * names of suites and tests with a space between them.
 */
export function chosenBy(option: string, titles: readonly string[]): string {
  const escape = (title: string): string => escapeInSlashes(title).replaceAll(/\p{Cc}/gu, '.')
  const pattern = `^${titles.map(escape).join(' ')}$`
  return titles.length === 0 ? '' : ` ${option} ${quoteWord(pattern)}`
}
