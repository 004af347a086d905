import { posix } from 'node:path'
import { cassettePaths, isCassettePath } from '../../cassette/paths.ts'
import type { TestPlace } from '../../cassette/test-place.ts'
import type { CassetteCheck, CheckedCassette } from '../verify/check.ts'

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

/** Whether a program opened a cassette by its path. Its title is then that path, and no test looks for it. */
export function isOfProgram({ file, path, stored }: CheckedCassette): boolean {
  if (isCassettePath(path)) return false
  const id = stored.conversation_id.replaceAll('\\', '/')
  const name = posix.normalize(id).replace(/^(?:\.\.\/)+/, '')
  // The title is relative to the folder in which the program was started.
  return name.endsWith('.json') && (`/${file}`.endsWith(`/${name}`) || name.endsWith(`/${file}`))
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
