import { join } from '../../real/path.ts'
import { escapeInSlashes } from '../../text/escape-pattern.ts'
import type { LateListener, Owner } from '../../attempt/owner.ts'
import { folderOfFile, type TestPlace } from '../../cassette/test-place.ts'
import { recording } from '../../text/command-line.ts'
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
  readonly #command: RunnerCommand

  constructor(place: TestPlace, root: string, command: RunnerCommand, late: LateListener) {
    this.root = root
    this.late = late
    this.#place = place
    this.#command = command
  }

  test(dir: string): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.verbatim()
    const { file, titles } = this.#place
    return {
      id: conversationId(this.#place),
      cassette: this.shown(`${dir}/${this.path(dir)}`),
      blobs: this.shown(`${dir}/blobs`),
      asked: this.shown(ASKED_PICTURES),
      recordCommand: recording(this.#command(this.shown(file), titles)),
      optionsOf: 'runner',
    }
  }

  shown(path: string): string {
    return displayPath(process.cwd(), join(this.root, path))
  }

  path(dir: string): string {
    return layers.verbatim().cassettePathIn(join(this.root, dir), this.#place)
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

/** A pattern that matches a title and nothing else, for runners that choose tests by one. */
export function patternOfTitle(titles: readonly string[], between: string): string {
  const escape = (title: string): string => escapeInSlashes(title).replaceAll(/\p{Cc}/gu, '.')
  return `^${titles.map(escape).join(between)}$`
}
