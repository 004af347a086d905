import { join } from '../../../real/path.ts'
import type { LateListener, Owner } from '../../../attempt/owner.ts'
import { folderOfFile, type TestPlace } from '../../../cassette/test-place.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { TestIdentity } from '../../../engine/session-contract.ts'
import { existsSync } from '../../../real/files.ts'
import { layers } from '../../../transports/layers.ts'
import { fromUser } from './current-project.ts'
import { loadClosing } from './load-closing.ts'

/** The files without any cassette, each by its report. */
const withoutCassettes: WeakSet<LateListener> = new WeakSet()

/** A test, or a file outside of its tests, as the owner of a cassette. */
export class TestOwner implements Owner {
  readonly root: string
  readonly late: LateListener
  readonly #place: TestPlace

  constructor(place: TestPlace, root: string, late: LateListener) {
    this.#place = place
    this.root = root
    this.late = late
  }

  test(dir: string): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.paths()
    const place = this.#place
    return {
      id: conversationId(place),
      cassette: fromUser(`${dir}/${this.path(dir)}`),
      blobs: fromUser(`${dir}/blobs`),
      asked: fromUser(ASKED_PICTURES),
      // Only a failure names it.
      get recordCommand() {
        return loadClosing().recordCommand(place)
      },
    }
  }

  get sample(): number | undefined {
    return this.#place.sample
  }

  shown(path: string): string {
    return fromUser(path)
  }

  path(dir: string): string {
    return layers.paths().cassettePathIn(join(this.root, dir), this.#place)
  }

  /** Whether `vitest-cassette record` records other tests, and not this one. */
  isLeftOut({ run, dir }: ResolvedConfig): boolean {
    return run !== undefined && layers.replay().isLeftOut(run.folder, this.test(dir).cassette)
  }

  /** Whether any test of the same file has a cassette. */
  hasNeighbours(dir: string): boolean {
    return existsSync(join(this.root, dir, folderOfFile(this.#place.file)))
  }

  hasCassette({ dir, mode }: ResolvedConfig): boolean {
    // Asked at the end of every test. Nothing is written by tests that replay.
    if (withoutCassettes.has(this.late)) return false
    // The check for the folder comes first: it is cheaper than computing the name of the cassette.
    if (this.hasNeighbours(dir)) return existsSync(join(this.root, dir, this.path(dir)))
    if (sendsNothing(mode)) withoutCassettes.add(this.late)
    return false
  }
}
