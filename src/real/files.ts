import { toNamespacedPath } from './path.ts'
import { bindingOf, builtin } from './builtin.ts'
import { inRealWorld, withRealModules } from './real-world.ts'

type FileSystem = typeof import('node:fs')

// Rooms that tests load have no other file system: a test can fake the one of `node:fs`. All of it is synchronous,
// since what is real while a function waits would be real for the test too.
export const appendFileSync: FileSystem['appendFileSync'] = real('appendFileSync')
export const closeSync: FileSystem['closeSync'] = real('closeSync')
export const existsSync: FileSystem['existsSync'] = real('existsSync')
export const lstatSync: FileSystem['lstatSync'] = real('lstatSync')
export const mkdirSync: FileSystem['mkdirSync'] = real('mkdirSync')
export const mkdtempSync: FileSystem['mkdtempSync'] = real('mkdtempSync')
export const openSync: FileSystem['openSync'] = real('openSync')
export const readdirSync: FileSystem['readdirSync'] = real('readdirSync')
export const readFileSync: FileSystem['readFileSync'] = real('readFileSync')
export const readSync: FileSystem['readSync'] = real('readSync')
export const readlinkSync: FileSystem['readlinkSync'] = real('readlinkSync')
export const realpathSync: FileSystem['realpathSync'] = real('realpathSync')
export const renameSync: FileSystem['renameSync'] = real('renameSync')
export const rmdirSync: FileSystem['rmdirSync'] = real('rmdirSync')
export const rmSync: FileSystem['rmSync'] = real('rmSync')
export const statSync: FileSystem['statSync'] = real('statSync')
export const writeFileSync: FileSystem['writeFileSync'] = real('writeFileSync')

/**
 * Whether a file that was written is on the disk. It is not where the file system was faked before this package was
 * loaded, so that the fake was taken for the real one.
 */
export function isOnDisk(path: string): boolean {
  const binding = bindingOf('fs') as { existsSync?(path: string): boolean } | undefined
  return inRealWorld(() => binding?.existsSync?.(toNamespacedPath(path)) ?? true)
}

function real<Name extends keyof FileSystem>(name: Name): FileSystem[Name] {
  const fs = builtin('node:fs') as unknown as Record<Name, (...args: unknown[]) => unknown>
  return ((...args: unknown[]) => withRealModules(() => fs[name](...args))) as never
}
