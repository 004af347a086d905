import { readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { folderOfFile } from './test-place.ts'

/**
 * Whether the test file of a cassette is still there, tested or not. What a path cannot spell the same way on every
 * system was replaced in it, so that this looks for files whose cassettes would lie there.
 *
 * @param root the root of the project
 * @param path the path of the cassette, below the cassette folder
 */
export function hasTestFile(root: string, path: string): boolean {
  let places = [root]
  for (const segment of posix.dirname(path).split('/')) {
    places = places.flatMap((place) => [
      ...namesIn(place)
        .filter((name) => folderOfFile(name) === segment)
        .map((name) => join(place, name)),
      // A test file outside the root.
      ...(segment === '_' ? [dirname(place)] : []),
    ])
  }
  return places.length > 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
