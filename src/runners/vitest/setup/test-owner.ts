import { join } from '../../../real/path.ts'
import type { LateListener, Owner } from '../../../attempt/owner.ts'
import { folderOfFile } from '../../../cassette/test-place.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { TestIdentity } from '../../../engine/session-contract.ts'
import { existsSync } from '../../../real/files.ts'
import { layers } from '../../../transports/layers.ts'
import { fromUser } from './current-project.ts'
import { loadClosing } from './load-closing.ts'
import type { PlaceOfTest } from './place-of-test.ts'

/** The files without any cassette, each by its report. */
const withoutCassettes: WeakSet<LateListener> = new WeakSet()

/** A test, or a file outside of its tests, as the owner of a cassette. */
export class TestOwner implements Owner {
  readonly root: string
  readonly late: LateListener
  readonly #place: PlaceOfTest

  constructor(place: PlaceOfTest, root: string, late: LateListener) {
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
  isLeftOut(config: ResolvedConfig): boolean {
    const { run, dir } = config
    if (run === undefined) return false
    const paths = this.#place.row?.pathsIn(config) ?? [this.test(dir).cassette]
    return paths.every((path) => layers.replay().isLeftOut(run.folder, path))
  }

  /** The configuration of its attempts. Of several tests of one title, a command records what is missing alone. */
  configFor(config: ResolvedConfig): ResolvedConfig {
    const { run, mode } = config
    if (run?.by !== 'record' || mode !== 'all' || !this.#place.row) return config
    // A plan without a list leaves nothing out.
    return layers.replay().isLeftOut(run.folder, '') ? { ...config, mode: 'new' } : config
  }

  /** Finds its cassette by its first request, if others of its file have the same titles. */
  get take(): Owner['take'] {
    const { row } = this.#place
    return (
      row &&
      ((session, incoming, counts) => {
        row.take(incoming, session, counts)
        session.test = this.test(session.config.dir)
      })
    )
  }

  /** Whether any test of the same file has a cassette. */
  hasNeighbours(dir: string): boolean {
    return existsSync(join(this.root, dir, folderOfFile(this.#place.file)))
  }

  hasCassette(config: ResolvedConfig): boolean {
    const { dir, mode } = config
    // Asked at the end of every test. Nothing is written by tests that replay.
    if (withoutCassettes.has(this.late)) return false
    // The check for the folder comes first: it is cheaper than computing the name of the cassette.
    if (this.hasNeighbours(dir)) {
      const isThere = existsSync(join(this.root, dir, this.path(dir)))
      return isThere && (this.#place.row?.isAwaited(config) ?? true)
    }
    if (sendsNothing(mode)) withoutCassettes.add(this.late)
    return false
  }
}
