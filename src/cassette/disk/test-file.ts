import { dirname, join, posix } from 'node:path'
import { readdirSync } from '../../real/files.ts'
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
  readonly #known: Map<string, boolean> = new Map()

  /** @param root the root of the project */
  constructor(root: string) {
    this.#root = root
  }

  /** @param path the path of a cassette, below the cassette folder */
  has(path: string): boolean {
    const folder = posix.dirname(path)
    let known = this.#known.get(folder)
    if (known === undefined) this.#known.set(folder, (known = this.#find(folder)))
    return known
  }

  #find(folder: string): boolean {
    let places = [this.#root]
    for (const segment of folder.split('/')) {
      places = places.flatMap((place) => [
        ...(this.#namesIn(place).get(segment) ?? []).map((name) => join(place, name)),
        // A test file outside the root.
        ...(segment === '_' ? [dirname(place)] : []),
      ])
    }
    return places.length > 0
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
