import { afterEach, expect, test, vi } from 'vitest'
import { clients } from './clients.ts'
import { enter } from './worlds.ts'

const globals = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'File',
  'AbortController',
  'AbortSignal',
] as const
const before = globals.map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)!] as const,
)

afterEach(() => {
  for (const [name, descriptor] of before) Object.defineProperty(globalThis, name, descriptor)
})

test.each(['node-fetch-3', 'node-fetch-2', 'undici', 'abort-controller'])(
  'in a test: %s',
  async (world) => {
    // One call before, so that the connection is open.
    expect(await clients['node:http']!('Hello before')).toContain('Odd: Hello')
    await enter(world)
    for (const name of ['fetch', 'fetch with a Request', 'node:http', 'undici.request'])
      expect(await clients[name]!(`Hello by ${name}`)).toContain('Odd: Hello')
  },
)

test('by vi.stubGlobal, and back again', async () => {
  const { default: fetch, Request, Response, Headers } = await import('node-fetch')
  for (const [name, value] of Object.entries({ fetch, Request, Response, Headers }))
    vi.stubGlobal(name, value)
  expect(await clients.fetch!('Hello stubbed')).toContain('Odd: Hello')
  vi.unstubAllGlobals()
  expect(await clients.fetch!('Hello again')).toContain('Odd: Hello')
})
