/** What a name is in a file name. */
export const slug = (name: string): string => name.replaceAll(/\W+/g, '-')

/** The file that has what the application calls: what loads no SDK starts in half the time. */
export const moduleOf = (call: string): string => (call === 'answer' ? './by-sdk.ts' : './app.ts')

/**
 * The file of two tests: one in a faked world, and one afterwards.
 *
 * @param fake what the first does before its first call. `undo` is a list of functions that restore the world.
 * @param call what the application calls
 * @param staysFaked whether the world is still faked while the end of the test is judged and written
 */
export function fileOf(fake: string, call: string, staysFaked: boolean): string {
  return `
import crypto from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openConnection } from './app.ts'
import { ${call} as answer } from '${moduleOf(call)}'

const fail = (): never => {
  throw new Error('faked')
}
const undo: Array<() => void> = []
function everything(object: any, put: () => unknown = () => undefined): void {
  for (const name of Object.getOwnPropertyNames(object)) {
    const real = Object.getOwnPropertyDescriptor(object, name)?.value
    if (typeof real !== 'function' || /^[A-Z_]/.test(name)) continue
    object[name] = put
    undo.push(() => (object[name] = real))
  }
}

function restore(): void {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const end of undo.splice(0)) end()
  syncBuiltinESMExports()
}

test('in a faked world', async () => {
  try {
    ${fake}
    await answer()
  } finally {
    ${staysFaked ? '' : 'restore()'}
  }
})

test('afterwards', async () => {
  restore()
  expect(typeof (await answer())).toBe('string')
})
`
}
