import { posix } from 'node:path'
import { isCassettePath } from '../cassette/disk/path.ts'
import type { CheckedCassette } from './check.ts'

/** Whether a program opened a cassette by its path, which is then what it is called: no test looks for it. */
export function isOfProgram({ file, path, stored }: CheckedCassette): boolean {
  if (isCassettePath(path)) return false
  const id = stored.conversation_id.replaceAll('\\', '/')
  const name = posix.normalize(id).replace(/^(?:\.\.\/)+/, '')
  // From wherever the program was started.
  return name.endsWith('.json') && (`/${file}`.endsWith(`/${name}`) || name.endsWith(`/${file}`))
}
