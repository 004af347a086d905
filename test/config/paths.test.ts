import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { isWithin, pathFrom } from '../../src/config/paths.ts'

const SYSTEMS = { posix, win32 }

test.each([
  ['posix', '/app', '/app/src/a.test.ts', 'src/a.test.ts'],
  ['posix', '/app', '/app', ''],
  // A name may hold a backslash there.
  ['posix', '/app', String.raw`/app/a\b.ts`, String.raw`a\b.ts`],
  ['posix', '/app', '/application/a.ts', undefined],
  ['posix', '/app', '/app/..hidden/a.ts', '..hidden/a.ts'],
  ['win32', String.raw`C:\app`, String.raw`C:\app\src\a.test.ts`, 'src/a.test.ts'],
  // Vitest and Vite write these with slashes, and Windows knows no case.
  ['win32', 'C:/app', String.raw`c:\App\src\a.test.ts`, 'src/a.test.ts'],
  ['win32', String.raw`C:\app`, 'C:/app/src/a.test.ts', 'src/a.test.ts'],
  ['win32', String.raw`C:\app`, String.raw`C:\application\a.ts`, undefined],
  ['win32', String.raw`C:\app`, String.raw`D:\app\a.ts`, undefined],
  ['win32', String.raw`\\server\share\app`, String.raw`\\server\share\app\a.ts`, 'a.ts'],
  ['win32', String.raw`\\server\share\app`, String.raw`\\server\other\app\a.ts`, undefined],
  ['win32', String.raw`\\server\share\app`, String.raw`C:\app\a.ts`, undefined],
] as const)('%s: from %s to %s', (name, folder, path, below) => {
  const system = SYSTEMS[name]
  expect(isWithin(folder, path, system)).toBe(below !== undefined)
  if (below !== undefined) expect(pathFrom(folder, path, system)).toBe(below)
})
