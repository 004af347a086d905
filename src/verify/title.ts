import { posix } from 'node:path'
import { cassettePaths } from '../cassette/disk/path.ts'
import type { TestPlace } from '../cassette/disk/test-place.ts'
import type { CassetteCheck } from './check.ts'
import { isOfProgram } from './of-program.ts'

/** Titles may contain the separator. With this many pieces or more, only one split is tried. */
const MAX_PIECES = 10

/** The title of a cassette has to be the name of the test to which the file belongs. */
export const title: CassetteCheck = {
  name: 'title',
  find(cassette) {
    const { path, stored } = cassette
    const { conversation_id: id } = stored
    if (isOfProgram(cassette)) return []
    if (placesOf(id).some((place) => isNamedFor(place, path))) return []
    const problem =
      'The test that it names looks for its cassette elsewhere: it was renamed or edited.'
    return [{ place: '/conversation_id', severity: 'warning', problem }]
  },
}

/** Whether a cassette stands where a test looks for it, or did before both were moved to another folder. */
function isNamedFor(place: TestPlace, path: string): boolean {
  const paths = cassettePaths(place)
  return paths.includes(path) || posix.basename(paths[0]) === posix.basename(path)
}

/** The tests that a name can mean. */
export function placesOf(id: string): TestPlace[] {
  const [, name, count] = /^(.*) #(\d+)$/s.exec(id) ?? []
  return [
    ...placesNamed(id, 0),
    ...(name === undefined ? [] : placesNamed(name, Number(count) - 1)),
  ]
}

function placesNamed(name: string, ordinal: number): TestPlace[] {
  return splitsOf(name).map(([file, ...titles]) => ({ file: file!, titles, ordinal }))
}

/** All ways to split a name into a file and titles. */
function splitsOf(name: string): string[][] {
  const [first, ...rest] = name.split(' > ')
  if (rest.length >= MAX_PIECES) return [[first!, ...rest]]
  return rest.reduce<string[][]>(
    (splits, piece) => [
      ...splits.map((split) => [...split, piece]),
      ...splits.map((split) => [...split.slice(0, -1), `${split.at(-1)} > ${piece}`]),
    ],
    [[first!]],
  )
}
