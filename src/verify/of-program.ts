import { posix } from 'node:path'
import { isCassettePath } from '../cassette/disk/path.ts'
import type { CheckedCassette } from './check.ts'

/** Whether a program opened a cassette by its path. Its title is then that path, and no test looks for it. */
export function isOfProgram({ file, path, stored }: CheckedCassette): boolean {
  if (isCassettePath(path)) return false
  const id = stored.conversation_id.replaceAll('\\', '/')
  const name = posix.normalize(id).replace(/^(?:\.\.\/)+/, '')
  // The title is relative to the folder in which the program was started.
  return name.endsWith('.json') && (`/${file}`.endsWith(`/${name}`) || name.endsWith(`/${file}`))
}
