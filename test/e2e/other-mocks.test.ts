import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { partOf, VitestProject } from './vitest-project.ts'

let project: VitestProject

beforeAll(() => {
  project = new VitestProject('other-mocks')
})

/** Test files in which others answer, and how many of their calls. */
const ANSWERED = [
  ['msw', '1 call by MSW'],
  ['stubs', '5 calls by a stub of fetch in stubs.test.ts'],
  ['undici', '2 calls by MockAgent'],
  ['nock-later', '1 call by nock'],
] as const

test.each(ANSWERED)(
  'a recording in which %s answers for the provider says so, and stays green',
  async (file, said) => {
    for (const SETUP of ['plugin', 'import']) {
      const { exitCode, output } = await project.record([`${file}.test.ts`], { SETUP })
      expect(exitCode, output).toBe(0)
      expect(output).toContain(`api.openai.com: ${said}`)
      // In the summary, or as a warning of the file.
      const [, text] = /(?:Unrecorded {2}|\[vitest-cassette\] )([^]*?)\n\n/.exec(output)!
      await expectGolden(text!.replaceAll(/^ +/gm, ''), file)
      expect(project.files()).toEqual([])
    }
  },
)

test('a recording of what nock answers says so, and a client of node:http gets one answer', async () => {
  const own = new VitestProject('other-mocks')
  const { exitCode, output } = await own.record(['nock.test.ts'])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('api.openai.com: 1 call by nock')
  expect(output).toContain("nock.enableNetConnect('api.openai.com')")
  await expectGolden(partOf(output, 'Unrecorded'), 'nock')
  for (const file of own.files())
    expect(own.read(`__recordings__/${file}`)).toContain('"mocked": true')
  const verified = await own.cli('verify')
  expect(verified.exitCode, verified.output).toBe(0)
  expect(verified.output.match(/mocked-answers/g)).toHaveLength(1)
  const replayed = await own.run(['nock.test.ts'])
  expect(replayed.exitCode, replayed.output).toBe(0)
  expect(replayed.output).toContain('1 replayed')
})

test('what nock lets pass is recorded and replayed, from the first connection on', async () => {
  const upstream = await startUpstream()
  const own = new VitestProject('other-mocks', { UPSTREAM_URL: upstream.oddUrl })
  const recorded = await own.record(['nock-passes.test.ts'])
  await upstream.stop()
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(recorded.output).toContain('1 recorded')
  const { exitCode, output } = await own.run(['nock-passes.test.ts'])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('1 replayed')
})

test('mocks of MSW that listen later, and again, answer clients of node:http in recording and in replay', async () => {
  const upstream = await startUpstream()
  const own = new VitestProject('other-mocks', { UPSTREAM_URL: upstream.oddUrl })
  const recorded = await own.record(['later-mocks.test.ts'])
  await upstream.stop()
  const replayed = await own.run(['later-mocks.test.ts'])
  for (const { exitCode, output } of [recorded, replayed]) {
    expect(exitCode, output).toBe(0)
    expect(output).not.toMatch(/Unhandled Error|handler lookup/)
  }
  expect(replayed.output).toContain('9 replayed')
})

test('so does the command, and counts all files together', async () => {
  const { exitCode, output } = await project.cli('record msw stubs undici')
  expect(exitCode, output).toBe(0)
  expect(output).toContain('Unrecorded  8 LLM calls ')
})

test('a recording that nobody asks says what may be the reason', async () => {
  for (const file of ['module', 'other-hosts']) {
    const { exitCode, output } = await project.record([`${file}.test.ts`])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('Recorded  nothing: 1 test ')
    expect(output).not.toContain('Unrecorded')
  }
})

/** What local servers answer, by the ends of their paths. */
const TYPES: ReadonlyArray<[end: string, type: string]> = [
  ['/sse', 'text/event-stream'],
  ['/ndjson', 'application/x-ndjson'],
  ['/html', 'text/html'],
  ['', 'application/json; charset=utf-8'],
]

const servers = new Map<string, Server>()
afterAll(() => servers.forEach((server) => server.close()))

async function startLocal(name: string): Promise<[name: string, url: string]> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const [, type] = TYPES.find(([end]) => pathname.endsWith(end))!
    response.statusCode = pathname.endsWith('/failed') ? 500 : 200
    response.setHeader('content-type', type)
    request.resume().on('end', () => response.end('{"model":"llama"}\n\n'))
  })
  servers.set(name, server)
  await once(server.listen(0), 'listening')
  return [name, `http://localhost:${(server.address() as AddressInfo).port}`]
}

test('a recording names local servers that got prompts which it let pass, and no others', async () => {
  const names = ['fetched', 'streamed', 'byHttp', 'chat', 'others', 'allowed', 'mocked']
  const at = Object.fromEntries(await Promise.all(names.map(startLocal)))
  const hostOf = (name: string): string => new URL(at[name]!).host
  const env = { LOCAL: JSON.stringify(at), ALLOWED: hostOf('allowed') }
  const own = new VitestProject('other-mocks')
  const { exitCode, output } = await own.record(['local.test.ts'], env)
  expect(exitCode, output).toBe(0)
  expect(output).toContain('Unrecorded  3 ')
  const steady = Object.fromEntries(names.map((name) => [hostOf(name), `<${name}>`]))
  await expectGolden(partOf(output, 'Unrecorded'), 'local-servers', steady)
  expect(output).toContain(`${hostOf('fetched')}: POST /ask\n`)
  expect(output).toContain(`${hostOf('streamed')}: POST /ask/sse\n`)
  expect(output).toContain(`${hostOf('byHttp')}: POST /ask/ndjson\n`)
  // The path of a provider says that it is a call.
  expect(output).not.toContain(`${hostOf('chat')}: POST`)
  expect(output).toContain('Exchanges  1 recorded')
  const hosts = ['fetched', 'streamed', 'byHttp'].map((name) => `'${hostOf(name)}'`)
  expect(output).toContain(`cassettes({ hosts: [${hosts.join(', ')}] })`)
  expect(output).not.toContain('Recorded  nothing')
  const replayed = await own.run(['local.test.ts'], env)
  expect(replayed.exitCode, replayed.output).toBe(0)
  expect(replayed.output).not.toContain('local server')
})

test('in replay, they answer as before, without a word', async () => {
  const { exitCode, output } = await project.run(['msw', 'stubs', 'undici', 'module'])
  expect(exitCode, output).toBe(0)
  expect(output).not.toMatch(/Unrecorded|Recorded/)
})
