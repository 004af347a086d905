import { posix } from 'node:path'
import { cassettePaths, isCassettePath } from '../../cassette/paths.ts'
import type { TestPlace } from '../../cassette/test-place.ts'
import type { CassetteCheck, CheckedCassette } from './check.ts'
import { testPlacesOf } from '../sources/test-places.ts'

/** The title of a cassette has to be the name of the test to which the file belongs. */
export const title: CassetteCheck = {
  name: 'title',
  find(cassette) {
    const { path, stored } = cassette
    const { conversation_id: id } = stored
    if (isOfProgram(cassette)) return []
    if (testPlacesOf(id).some((place) => isNamedFor(place, path))) return []
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
