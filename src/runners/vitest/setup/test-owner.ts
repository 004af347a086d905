import { join } from 'node:path'
import { existsSync } from '../../../real/files.ts'
import { folderOfFile, type TestPlace } from '../../../cassette/test-place.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { TestIdentity } from '../../../engine/session-contract.ts'
import type { Owner } from '../../../attempt/owner.ts'
import { layers } from '../../../transports/layers.ts'
import { fromUser } from './current-project.ts'
import type { LateReport } from './late-report.ts'
import { recordCommand } from './record-command.ts'

/** A test, or a file outside of its tests, as the owner of a cassette. */
export class TestOwner implements Owner {
  readonly root: string
  readonly late: LateReport
  readonly #place: TestPlace

  constructor(place: TestPlace, root: string, late: LateReport) {
    this.#place = place
    this.root = root
    this.late = late
  }

  test(dir: string): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.replay()
    return {
      id: conversationId(this.#place),
      cassette: fromUser(`${dir}/${this.path(dir)}`),
      blobs: fromUser(`${dir}/blobs`),
      asked: fromUser(ASKED_PICTURES),
      recordCommand: recordCommand(this.#place),
    }
  }

  shown(path: string): string {
    return fromUser(path)
  }

  path(dir: string): string {
    return layers.replay().cassettePathIn(join(this.root, dir), this.#place)
  }

  /** Whether `vitest-cassette record` records other tests, and not this one. */
  isLeftOut({ run, dir }: ResolvedConfig): boolean {
    return run !== undefined && layers.replay().isLeftOut(run.folder, this.test(dir).cassette)
  }

  /** Whether any test of the same file has a cassette. */
  hasNeighbours(dir: string): boolean {
    return existsSync(join(this.root, dir, folderOfFile(this.#place.file)))
  }

  hasCassette(dir: string): boolean {
    // The check for the folder comes first: it is cheaper than computing the name of the cassette.
    return this.hasNeighbours(dir) && existsSync(join(this.root, dir, this.path(dir)))
  }
}
