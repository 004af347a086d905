import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, completion } from './ask.ts'

const stub = vi.fn(async () => Response.json(completion))
const original = globalThis.fetch

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  globalThis.fetch = original
  expect(globalThis.fetch).toBe(original)
})

test('stubs the global in the test', async () => {
  vi.stubGlobal('fetch', stub)
  expect(await ask('Who?')).toBe('Mocked.')
  expect(fetch).toHaveBeenCalled()
})

test('spies on fetch in the test', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(completion))
  expect(await ask('Who?')).toBe('Mocked.')
  expect(fetch).toHaveBeenCalledOnce()
})

describe('by assignment', () => {
  beforeEach(() => {
    globalThis.fetch = async () => Response.json(completion)
  })
  test('stubs fetch before each test', async () => {
    expect(await ask('Who?')).toBe('Mocked.')
  })
})

test('assigns fetch in the test, as libraries of mocks do', async () => {
  globalThis.fetch = async () => Response.json(completion)
  expect(await ask('Who?')).toBe('Mocked.')
})

test('fails as if the provider were away', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')))
  await expect(ask('Who?')).rejects.toThrow()
})
