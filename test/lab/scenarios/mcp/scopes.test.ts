// Clients of a whole file, of another version, and of a test that names its server itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client as NextClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NextStdio } from '@modelcontextprotocol/client/stdio'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { call, connect, SKY } from './clients.ts'

const { OLDER } = process.env

let client: Client

beforeAll(async () => {
  client = await connect('stdio', 'weather', { roots: {} })
  const uri = `file://${import.meta.dirname}/${process.pid}`
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }))
})
afterAll(() => client.close())

test.for(['Rome', 'Oslo'])('a client of the whole file: %s', async (city) => {
  expect(await call(client, 'get_forecast', { city })).toContain(city)
})

test('a server that asks for the folders of its client', async () => {
  expect(await call(client, 'roots')).toBe('1 folder')
})

test('a server that asks a model by itself', async ({ cassette }) => {
  expect(await call(client, 'think')).toBe('Odd: Hm?')
  expect(cassette.exchanges).toHaveLength(1)
})

test('under fake timers', async () => {
  vi.useFakeTimers()
  expect(await call(client, 'get_forecast', { city: 'Lima' })).toContain('Lima')
  vi.useRealTimers()
})

test('the next version of the SDK', async () => {
  const next = new NextClient({ name: 'tests', version: '1' })
  const args = [`${import.meta.dirname}/servers/weather.mjs`]
  await next.connect(new NextStdio({ command: process.execPath, args }))
  const answer = await next.callTool({ name: 'get_forecast', arguments: { city: 'Bern' } })
  expect(answer.content).toEqual([{ type: 'text', text: `Bern: ${SKY}\nWind from the west.` }])
  await next.close()
})

test('a test that names its server itself', async ({ cassette }) => {
  cassette.use({ mcp: ['notes.mjs'] })
  const notes = await connect('stdio', 'notes')
  expect(await call(notes, 'more')).toBe('1')
  await notes.close()
})

test('a client that takes its time', async () => {
  // It is started although it is a server, so it stays in a replay.
  const child = spawn(process.execPath, [`${import.meta.dirname}/late-counter.mjs`])
  await new Promise((resolve) => setTimeout(resolve, 600))
  child.stdin.write('{"jsonrpc":"2.0","id":"a","method":"more"}\n')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  expect(JSON.parse(String(line))).toMatchObject({ id: 'a', result: { content: [{ text: '1' }] } })
  expect(child.pid).toBeTypeOf('number')
  child.kill()
  expect(await once(child, 'close')).toEqual([null, 'SIGTERM'])
  expect(child.killed).toBe(true)
})

test.runIf(OLDER)('the older transport', async () => {
  const older = new SdkClient({ name: 'tests', version: '1' })
  const url = new URL(`${inject('weatherUrl')}/weather/sse`)
  await expect(older.connect(new SSEClientTransport(url))).rejects.toThrow()
})
