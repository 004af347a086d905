import { resolve, sep } from 'node:path'
import { pathFrom } from '../../config/paths.ts'
import { standInFolder } from '../../cassette/paths.ts'
import { CassetteStore } from '../../cassette/store.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import type { MutantLine } from './mutant-lines.ts'

/** The cassette folders of the projects of a run. Paths are relative to the working directory of the user. */
export class CassettePlaces {
  readonly #cwd: string
  readonly #folders: Array<{ root: string; dir: string }>

  constructor(lines: readonly MutantLine[], cwd: string) {
    this.#cwd = cwd
    this.#folders = lines.filter((line) => line.kind === 'project')
  }

  /** Reads a cassette; `undefined` where there is none. */
  read(path: string): Cassette | undefined {
    const { root, dir, inside } = this.#find(path)
    return new CassetteStore(root, dir, Infinity).load(inside)
  }

  /** Makes runs that get the folder replay another cassette in the place of one. */
  async standIn(folder: string, path: string, cassette: Cassette): Promise<void> {
    const { root, dir, inside } = this.#find(path)
    await new CassetteStore(standInFolder(folder, root, dir), '.', Infinity).save(inside, cassette)
  }

  #find(path: string): { root: string; dir: string; inside: string } {
    const file = resolve(this.#cwd, path)
    const { root, dir } = this.#folders.find((one) =>
      file.startsWith(resolve(one.root, one.dir) + sep),
    )!
    return { root, dir, inside: pathFrom(resolve(root, dir), file) }
  }
}
