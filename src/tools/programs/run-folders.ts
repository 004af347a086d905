import { join, resolve, sep } from 'node:path'
import { existsSync, readFileSync } from '../../real/files.ts'
import { pathFrom } from '../../config/paths.ts'
import { ifReadable } from '../../cassette/reader.ts'
import { CassetteStore } from '../../cassette/store.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { PriceTable, sumUsage } from '../../conversation/cost.ts'
import { tookBefore, type Outlook } from './outlook.ts'
import type { RunLine } from '../../attempt/run-channel.ts'

/** A test as `vitest list --json` names it. */
export interface ListedTest {
  name: string
  /** Absolute. */
  file: string
}

/** A cassette file as it is at one moment. */
export interface CassetteFile {
  text: string
  /** Absent where the file is no cassette that can be read. */
  cassette?: Cassette
}

/** The cassette folders of the projects that take part in a run, each once. */
export class RunFolders {
  readonly #cwd: string
  readonly #folders: Array<{ root: string; dir: string; store: CassetteStore; prices: PriceTable }>

  constructor(lines: readonly RunLine[], cwd: string) {
    this.#cwd = cwd
    const projects = lines.filter((line) => line.kind === 'project')
    const byFolder = new Map(projects.map((line) => [resolve(line.root, line.dir), line]))
    this.#folders = [...byFolder.values()].map(({ root, dir, prices }) => ({
      root,
      dir,
      store: new CassetteStore(root, dir, Infinity),
      prices: new PriceTable(prices),
    }))
  }

  /** The roots of the projects. */
  get roots(): string[] {
    return [...new Set(this.#folders.map(({ root }) => root))]
  }

  /** The cassettes of tests, and of their files outside of tests, relative to the working directory. */
  cassettesOf(tests: readonly ListedTest[]): string[] {
    const idsByRoot = new Map(this.roots.map((root) => [root, idsOf(tests, root)]))
    return this.#folders.flatMap(({ root, dir, store }) =>
      store.list().flatMap((path) => {
        const id = ifReadable(() => store.readStored(path)?.conversation_id)?.replace(/ #\d+$/, '')
        return id !== undefined && idsByRoot.get(root)!.has(id)
          ? [this.#shown(root, dir, path)]
          : []
      }),
    )
  }

  /** The cassettes in a folder, relative to the working directory. */
  cassettesIn(folder: string): string[] {
    return this.#folders.flatMap(({ root, dir, store }) =>
      store
        .list()
        .map((path) => this.#shown(root, dir, path))
        .filter((path) => path.startsWith(folder)),
    )
  }

  /** The outlook of a run that records these cassettes. */
  outlook(cassettes: readonly string[], tests: number): Outlook {
    const read = cassettes.flatMap((path) => {
      const { cassette } = this.read(path) ?? {}
      return cassette
        ? [tookBefore(cassette, this.#folderOf(path)?.prices ?? new PriceTable())]
        : []
    })
    // The cassette of a file outside of its tests belongs to no test.
    const recorded = cassettes.filter((path) => !path.endsWith('/_file.json')).length
    return {
      tests: Math.max(tests, recorded),
      recorded: Math.max(recorded, Math.sign(read.length)),
      took: sumUsage(read),
    }
  }

  /** A cassette as it is now; `undefined` where there is none. */
  read(shown: string): CassetteFile | undefined {
    const file = resolve(this.#cwd, shown)
    const folder = this.#folderOf(shown)
    if (!existsSync(file)) return undefined
    const text = readFileSync(file, 'utf8')
    const cassette = folder && ifReadable(() => folder.store.load(folder.store.pathTo(file)))
    return { text, ...(cassette ? { cassette } : {}) }
  }

  #folderOf(shown: string) {
    const file = resolve(this.#cwd, shown)
    return this.#folders.find(({ root, dir }) => file.startsWith(resolve(root, dir) + sep))
  }

  #shown(root: string, dir: string, path: string): string {
    return pathFrom(this.#cwd, join(root, dir, path))
  }
}

/** The ids of tests and files in cassettes. */
function idsOf(tests: readonly ListedTest[], root: string): Set<string> {
  return new Set(
    tests.flatMap(({ name, file }) => {
      const shown = pathFrom(root, file)
      return [shown, `${shown} > ${name}`]
    }),
  )
}
