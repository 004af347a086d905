import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { VitestProject } from './vitest-project.ts'

/** What became of a scenario. */
interface Told {
  result: unknown
  code?: string
  message?: string
}

/** Milliseconds until an answer to a request whose text holds a word. */
let delays: Record<string, number> = {}
let asked = 0
let server: Server
let project: VitestProject

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', async () => {
      asked++
      const word = /"(slow|middle|quick)"/.exec(body)?.[1] ?? ''
      await delay(delays[word] ?? 1)
      const text = `to ${word || 'all'}`
      if (body.includes('"stream":true')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        // The one that ends first has the most chunks.
        for (const piece of word === 'quick' ? text : [text])
          response.write(
            `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`,
          )
        return response.end('data: [DONE]\n\n')
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      const isAnthropic = request.url!.endsWith('/messages') && !request.url!.includes('threads')
      return response.end(
        JSON.stringify(
          isAnthropic
            ? { type: 'message', role: 'assistant', content: [{ type: 'text', text }] }
            : { choices: [{ index: 0, message: { role: 'assistant', content: text } }] },
        ),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project = new VitestProject('order', { UPSTREAM_URL: `http://127.0.0.1:${port}` })
})

afterAll(() => server.close())

async function run(names: string[], env: Record<string, string>): Promise<Record<string, Told>> {
  const args = names.map((name) => `'${name}'`).join(' ')
  const { output } = await project.shell(`node program.mjs ${args}`, env)
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (!line) throw new Error(output)
  return JSON.parse(line) as Record<string, Told>
}

async function replay(...names: string[]): Promise<Record<string, Told>> {
  const before = asked
  const told = await run(names, {})
  expect(asked).toBe(before)
  return told
}

const codes = (told: Record<string, Told>): Record<string, string> =>
  Object.fromEntries(Object.entries(told).map(([name, { code = 'passed' }]) => [name, code]))

const STATES = ['conversation', 'thread', 'deleted', 'upload', 'search', 'cancelled']
const STATELESS = ['chat', 'embeddings']

test('requests about one state of the provider keep their order, and no others do', async () => {
  await run([...STATES, ...STATELESS], { RECORD: 'all' })
  const swapped = (name: string): string => `${name}:swap`
  const told = await replay(...STATES, ...STATELESS, ...[...STATES, ...STATELESS].map(swapped))
  expect(codes(told)).toEqual({
    ...Object.fromEntries([...STATES, ...STATELESS].map((name) => [name, 'passed'])),
    ...Object.fromEntries(STATES.map((name) => [swapped(name), 'miss'])),
    ...Object.fromEntries(STATELESS.map((name) => [swapped(name), 'passed'])),
  })
  const { message } = told['thread:swap']!
  await expectGolden(message!.replaceAll(/127.0.0.1:\d+/g, '127.0.0.1:9'), 'out-of-turn')
})

test('recording them again changes no byte', async () => {
  const before = STATES.map((name) => project.read(`cassettes/${name}.json`))
  await run(STATES, { RECORD: 'all' })
  expect(STATES.map((name) => project.read(`cassettes/${name}.json`))).toEqual(before)
})

test('what was sent at once may come in either order', async () => {
  const parallel = STATES.map((name) => `${name}:parallel`)
  await run(parallel, { RECORD: 'all' })
  const told = await replay(...parallel, ...STATES.map((name) => `${name}:turned`), ...STATES)
  expect(new Set(Object.values(codes(told)))).toEqual(new Set(['passed']))
})

const RACES = [
  'race by fetch',
  'race by an SDK',
  'race of two SDKs',
  'race of two SDKs, turned',
  'race of streams',
  'race by node:http',
  'as they come, by fetch',
  'as they come, by an SDK',
  'as they come, streamed',
  'as they come, by node:http',
]

test('responses in flight end in the order in which they ended when they were recorded', async () => {
  delays = { slow: 120, middle: 60, quick: 1 }
  const recorded = await run(RACES, { RECORD: 'all' })
  expect(codes(recorded)).toEqual(Object.fromEntries(RACES.map((name) => [name, 'passed'])))
  expect(codes(await replay(...RACES))).toEqual(codes(recorded))
})

test('recorded again with another winner, it is the new one that wins', async () => {
  delays = { slow: 1, middle: 60, quick: 120 }
  const recorded = await run(RACES, { RECORD: 'all' })
  expect(codes(await replay(...RACES))).toEqual(codes(recorded))
})

test('where the order is not enough, the failure names the option pace, which is', async () => {
  delays = { slow: 800, quick: 1 }
  await run(['batches'], { RECORD: 'all' })
  const { batches } = await replay('batches')
  expect(batches!.code).toBe('miss')
  expect(batches!.message).toContain("pace: 'recorded'")
  await expectGolden(batches!.message!.replaceAll(/127.0.0.1:\d+/g, '127.0.0.1:9'), 'pace')
  expect(codes(await run(['batches'], { PACE: 'recorded' }))).toEqual({ batches: 'passed' })
})
