import fs from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import {
  asFailure,
  inRealWorld,
  inRealWorldUntil,
  withRealValues,
} from '../../src/real/real-world.ts'
import { expectGolden } from '../golden.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What is told, but for what Playwright replaces for good, which other tests of this process load. */
function toldOf({ message }: Error): string {
  return message.replace(/fs\.closeSync(?:, )?/, '').replace(/\nFaked when [^:]*: $/, '')
}

test('a failure names what is faked', async () => {
  vi.spyOn(fs, 'readFileSync').mockReturnValue('')
  vi.spyOn(JSON, 'parse').mockReturnValue({})
  const failed = asFailure(new Error('broken'))
  expect(failed.code).toBe('internal')
  expect(asFailure(failed).message).toBe(failed.message)
  expect(inRealWorld(() => asFailure(new Error('broken')).message)).toBe(failed.message)
  expect(toldOf(failed)).toMatch(/: broken\n.*: fs\.readFileSync, JSON\.parse$/)
  vi.restoreAllMocks()
  await expectGolden(toldOf(failed), 'faked')
})

test('a failure where nothing is faked is told as it is', () => {
  expect(toldOf(asFailure(new Error('broken')))).toMatch(/^[^\n]*: broken$/)
})

test('work that takes its time does all of it in the real world, and the fakes come back', async () => {
  const faked = vi.spyOn(JSON, 'stringify').mockReturnValue('{}')
  vi.stubGlobal('Date', undefined)
  const text = await inRealWorldUntil(async () => {
    await Promise.resolve()
    return JSON.stringify({ year: new Date(0).getUTCFullYear() })
  })
  expect(text).toBe('{"year":1970}')
  expect(JSON.stringify).toBe(faked)
  expect(globalThis.Date).toBe(undefined)
})

test('what fails there leaves it', async () => {
  const faked = vi.spyOn(JSON, 'parse').mockReturnValue({})
  await expect(inRealWorldUntil(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(JSON.parse).toBe(faked)
})

test('what only compares values finds each fake that stands there when it begins, and looks once', () => {
  const isFaked = (): boolean => JSON.parse('1') !== 1
  const inner = (): boolean => withRealValues(isFaked)
  expect(withRealValues(inner)).toBe(false)
  const faked = vi.spyOn(JSON, 'parse').mockReturnValue({})
  expect([withRealValues(inner), inner()]).toEqual([false, false])
  faked.mockRestore()
  vi.stubGlobal('TextDecoder', undefined)
  expect(withRealValues(() => withRealValues(() => typeof TextDecoder))).toBe('function')
  vi.unstubAllGlobals()
  vi.spyOn(Buffer.prototype, 'toString').mockReturnValue('no')
  expect(withRealValues(() => Buffer.from('yes').toString())).toBe('yes')
})

test('a fake that comes while an error leaves it is found the next time', () => {
  expect(() =>
    withRealValues(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
  vi.spyOn(JSON, 'parse').mockReturnValue({})
  expect(withRealValues(() => JSON.parse('1') as number)).toBe(1)
})
