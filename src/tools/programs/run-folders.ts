import { dirname, join, relative, resolve, sep } from 'node:path'
import { existsSync, readFileSync } from '../../real/files.ts'
import { pathFrom } from '../../config/paths.ts'
import { cassettePaths, conversationId } from '../../cassette/paths.ts'
import { withOrdinals } from '../../cassette/test-place.ts'
import { testPlacesOf } from '../sources/test-places.ts'
import { ifReadable } from '../../cassette/reader.ts'
import { CassetteStore } from '../../cassette/store.ts'
import type { Cassette } from '../../cassette/cassette.ts'
import { PriceTable, sumUsage } from '../../conversation/cost.ts'
import { tookBefore, type RunEstimate } from './run-estimate.ts'
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

/** The cassette folder of projects that take part in a run. */
interface RunFolder {
  /** Absolute. */
  path: string
  /** The roots of its projects, by which their tests are named. */
  roots: ReadonlySet<string>
  store: CassetteStore
  prices: PriceTable
}

/** The cassette folders of the projects that take part in a run, each once. */
export class RunFolders {
  readonly all: readonly RunFolder[]
  readonly #cwd: string

  constructor(lines: readonly RunLine[], cwd: string) {
    this.#cwd = cwd
    const projects = lines.filter((line) => line.kind === 'project')
    const byPath = Map.groupBy(projects, ({ root, dir }) => resolve(root, dir))
    this.all = Array.from(byPath, ([path, found]) => {
      const { root, dir, prices } = found.at(-1)!
      const store = new CassetteStore(root, dir, Infinity)
      const roots = new Set(found.map((line) => line.root))
      return { path, roots, store, prices: new PriceTable(prices) }
    })
  }

  get roots(): string[] {
    return [...new Set(this.all.flatMap(({ roots }) => [...roots]))]
  }

  /** The cassettes of tests, and of their files outside of tests, relative to the working directory. */
  cassettesOf(tests: readonly ListedTest[]): string[] {
    return this.all.flatMap((folder) => {
      const { store, roots } = folder
      const ids = new Set([...roots].flatMap((root) => idsOf(tests, root)))
      const places = new Map([...roots].flatMap((root) => cassettesOfTests(root, tests)))
      const isOfTest = (path: string): boolean => {
        // A cassette that was moved with its test file has the name of the old file in it.
        if (places.has(path)) return true
        const id = ifReadable(() => store.readStored(path)?.conversation_id)
        return id !== undefined && ids.has(id.replace(/ #\d+$/, ''))
      }
      return store.list().flatMap((path) => (isOfTest(path) ? this.#shown(folder, path) : []))
    })
  }

  /** The cassettes in a folder, relative to the working directory. */
  cassettesIn(folder: string): string[] {
    const all = this.all.flatMap((one) => one.store.list().map((path) => this.#shown(one, path)))
    return all.filter((path) => path.startsWith(folder))
  }

  /** The test files of cassettes, or of folders of them, as a person would type them; empty unless all are there. */
  testFilesOf(cassettes: readonly string[]): string[] {
    const files = cassettes.map((shown) => {
      const folder = this.#folderOf(shown)
      const of = shown.endsWith('/') ? shown : dirname(shown)
      const name = folder && relative(folder.path, resolve(this.#cwd, of))
      const found = [...(folder?.roots ?? [])].map((root) => join(root, name!)).find(existsSync)
      return found && pathFrom(this.#cwd, found)
    })
    return files.every((file) => file !== undefined) ? [...new Set(files)] : []
  }

  /** The estimate of a run that records these cassettes. */
  estimate(cassettes: readonly string[], tests: number): RunEstimate {
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
    return { text, cassette }
  }

  #folderOf(shown: string): RunFolder | undefined {
    const file = resolve(this.#cwd, shown)
    return this.all.find(({ path }) => file.startsWith(path + sep))
  }

  #shown(folder: RunFolder, path: string): string {
    return pathFrom(this.#cwd, join(folder.path, path))
  }
}

/** The paths of the cassettes of all tests below a root, and the names of the tests. */
export function cassettesOfTests(
  root: string,
  tests: readonly ListedTest[],
): Array<[string, string]> {
  const places = tests.map(({ name, file }) => ({ file: pathFrom(root, file), titles: [name] }))
  const names = withOrdinals(places).flatMap((place) => [place.file, conversationId(place)])
  return [...new Set(names)].flatMap((id) =>
    testPlacesOf(id).flatMap((place) =>
      cassettePaths(place).map((path): [string, string] => [path, id]),
    ),
  )
}

function idsOf(tests: readonly ListedTest[], root: string): string[] {
  return tests.flatMap(({ name, file }) => {
    const shown = pathFrom(root, file)
    return [shown, `${shown} > ${name}`]
  })
}
