import { basename, dirname, join, posix } from 'node:path'
import { readdirSync } from '../../real/files.ts'
import { FILE_SCOPE } from './path.ts'
import { folderOfFile } from './test-place.ts'

/**
 * Finds out whether the test file of a cassette still exists, whether or not it was run. Paths of cassettes replace
 * characters that some systems do not allow, so this looks for files whose cassettes would have the path. Reads each
 * folder once.
 */
export class TestFiles {
  readonly #root: string
  /** The names in each folder, by their spelling in paths of cassettes. */
  readonly #names: Map<string, Map<string, string[]>> = new Map()
  readonly #known: Map<string, string[]> = new Map()

  /** @param root the root of the project */
  constructor(root: string) {
    this.#root = root
  }

  /** @param path the path of a cassette, below the cassette folder */
  has(path: string): boolean {
    return this.#filesOf(path).length > 0
  }

  /**
   * The test files whose cassettes can have one path, so that they overwrite each other; empty where there is one. Names
   * whose letters are composed in two ways are one name on a Mac. Of other names that are spelled alike in paths, only
   * what belongs to the file itself has one path.
   */
  overwriting(path: string): string[] {
    const files = this.#filesOf(path)
    if (files.length < 2) return []
    if (basename(path) === FILE_SCOPE) return files
    const same = Map.groupBy(files, (file) => file.normalize('NFC'))
    return [...same.values()].find((equal) => equal.length > 1) ?? []
  }

  #filesOf(path: string): string[] {
    const folder = posix.dirname(path)
    let known = this.#known.get(folder)
    if (!known) this.#known.set(folder, (known = this.#find(folder)))
    return known
  }

  #find(folder: string): string[] {
    let places = [this.#root]
    for (const segment of folder.split('/')) {
      places = places.flatMap((place) => [
        ...(this.#namesIn(place).get(segment) ?? []).map((name) => join(place, name)),
        // A test file outside the root.
        ...(segment === '_' ? [dirname(place)] : []),
      ])
    }
    return places
  }

  #namesIn(place: string): Map<string, string[]> {
    let names = this.#names.get(place)
    if (!names) this.#names.set(place, (names = Map.groupBy(namesIn(place), folderOfFile)))
    return names
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
