import fs from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { asFailure, inRealWorld, inRealWorldUntil } from '../../src/real/real-world.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a failure names what is faked', () => {
  vi.spyOn(fs, 'readFileSync').mockReturnValue('')
  vi.spyOn(JSON, 'parse').mockReturnValue({})
  const failed = asFailure(new Error('broken'))
  expect(failed.code).toBe('internal')
  expect(failed.message).toBe(
    'vitest-cassette failed: broken\nFaked when it failed, which is the likely cause: fs.readFileSync, JSON.parse',
  )
  expect(asFailure(failed).message).toBe(failed.message)
  expect(inRealWorld(() => asFailure(new Error('broken')).message)).toBe(failed.message)
})

test('a failure where nothing is faked is told as it is', () => {
  expect(asFailure(new Error('broken')).message).toBe('vitest-cassette failed: broken')
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
