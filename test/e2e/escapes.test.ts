import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectDocumented } from '../docs-section.ts'
import { expectGolden } from '../golden.ts'
import { startProxy } from '../upstream/start-proxy.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** Stands for a provider: counts who connects, and answers nothing. */
let provider: Server
let connections = 0
let HOST: string

/** Stands for a host that nobody listed, and keeps what it is told. */
let gateway: Server
let told = ''
let GATEWAY: string

beforeAll(async () => {
  provider = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.end()
  })
  gateway = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => (told += bytes.toString('latin1')))
  })
  HOST = await listen(provider)
  GATEWAY = await listen(gateway)
})
beforeEach(() => {
  connections = 0
  told = ''
})
afterAll(() => [provider.close(), gateway.close()])

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs of all transports, by what is different about them. */
const RUNS: Record<string, Record<string, string>> = {
  forks: { POOL: 'forks' },
  threads: { POOL: 'threads' },
  vmThreads: { POOL: 'vmThreads' },
  vmForks: { POOL: 'vmForks' },
  'set-up imported, all files in one process': {
    POOL: 'forks',
    SETUP: 'import',
    ISOLATE: 'false',
  },
}

/** What came of a run of all transports. */
interface Escape {
  output: string
  connections: number
  /** What a host was told that nobody listed. */
  told: string
  /** What the test of each transport failed with. */
  failures: Map<string, Failed>
}

interface Failed {
  isMiss: boolean
  headline: string
}

/** Each is made once, for whichever test comes first. */
const escapes: Map<string, Promise<Escape>> = new Map()

test.each(Object.keys(RUNS))(
  'in replay no transport reaches a provider, and the test fails: %s',
  async (name) => {
    const { output, connections, told } = await escape(name)
    expect(output).toContain('escapes.test.ts (20 tests | 20 failed)')
    expect(output).toContain('children.test.ts (10 tests | 10 failed)')
    expect(output).toContain('wire.test.ts (10 tests | 10 failed)')
    expect(output).toContain('loopback.test.ts (3 tests)')
    expect(output).not.toContain('timed out')
    expect(output).not.toContain('Unhandled')
    for (const [transport, host] of [
      ['node:net', HOST],
      ['node:tls', HOST],
      ['node:tls', 'api.openai.com:443'],
      ['fetch in a child process', HOST],
    ])
      expect(output).toContain(`A connection to ${host} by ${transport} is refused`)
    expect(output).toMatch(/'127\.0\.0\.1' .* allowHosts/)
    expect(connections).toBe(0)
    expect(told).not.toContain('secret')
  },
)

test('docs/transports.md says what becomes of each transport', { timeout: 300_000 }, async () => {
  const runs: Escape[] = []
  for (const name of Object.keys(RUNS)) runs.push(await escape(name))
  const rows = Array.from(runs[0]!.failures.keys(), (title) => {
    const kinds = new Set(runs.map(({ failures }) => kindOf(failures.get(title)!)))
    return `| ${title} | ${runs.length} of ${runs.length} | ${[...kinds].join(', ')} |`
  })
  expect(rows).toHaveLength(40)
  const table = ['| transport | fails its test | with |', '|---|---|---|', ...rows].join('\n')
  await expectDocumented('transports.md', 'escapes', table)
})

function escape(name: string): Promise<Escape> {
  const known = escapes.get(name) ?? tryAll(RUNS[name]!)
  escapes.set(name, known)
  return known
}

async function tryAll(env: Record<string, string>): Promise<Escape> {
  connections = 0
  told = ''
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const project = new VitestProject('escapes', { HOST, GATEWAY, PATH, ...env })
  const { output, tests } = await project.runTests()
  const misses = new Set(missesIn(project, output, env.SETUP === 'import'))
  const failures = ['escapes', 'children', 'wire'].flatMap((name) =>
    tests
      .filter(({ file }) => file === `${name}.test.ts`)
      .map(({ file, title, failureMessages: [message = ''] }) => {
        const isMiss = misses.has(`${file} > ${title}`)
        return [title, { isMiss, headline: message.split('\n')[0]! }] as const
      }),
  )
  return { output, connections, told, failures: new Map(failures) }
}

/** The tests that missed. Without the plugin a run tells programs nothing, and prints each failure as a whole. */
function missesIn(project: VitestProject, output: string, isImported: boolean): string[] {
  if (isImported)
    return Array.from(output.matchAll(/^ +test +(.*)\n +cassette /gm), ([, id]) => id!)
  return project.failures().flatMap(({ test, code }) => (test && code === 'miss' ? [test] : []))
}

/** How the failure of a test calls what it refused; a miss is the answer to an LLM call. */
function kindOf({ isMiss, headline }: Failed): string {
  if (isMiss) return 'a miss'
  if (headline.includes('takes the guard of vitest-cassette away'))
    return 'the command is not started'
  const [, refused] = /CassetteError: A (.*) is refused/.exec(headline) ?? []
  if (refused === undefined) throw new Error(`What is this? ${headline}`)
  // The provider of the tests is at another port each time.
  const shown = refused.replace(HOST, 'localhost').replace(GATEWAY, 'localhost')
  return `“a ${shown.replace(/:\d{5} /, ' ')} is refused”`
}

test('what the global set-up asks is refused too, and what it starts, though it swallows what comes of it', async () => {
  const project = new VitestProject('escapes', { HOST, GATEWAY, GLOBAL: '1' })
  const asked = `A request to http://${GATEWAY}/v1/chat/completions by fetch in a global set-up`
  const run = await project.run(['loopback'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output.split(`[vitest-cassette] ${asked} is refused`)).toHaveLength(2)
  expect(run.output).toContain(`A connection to ${HOST} by fetch in a global set-up is refused`)
  expect(run.output).toContain('by fetch in a child process is refused')
  expect(run.output).toMatch(
    /a shell asks http:\/\/127\.0\.0\.1:9\/start-it-in-a-test-or-in-beforeAll\/http/,
  )
  expect(told).toBe('')
  expect(connections).toBe(0)
  // While recording too: what replay refuses is not recorded, and no recording is green that cannot be replayed.
  const recorded = await project.record(['loopback'])
  expect(recorded.exitCode, recorded.output).toBe(1)
  expect(recorded.output).toContain(`Unrecorded  ${asked} is not recorded`)
  expect(recorded.output).toContain('by fetch in a child process is not recorded')
  expect(recorded.output).toContain('a shell asks http://127.0.0.1:9/start-it-in-a-test-or-in-b')
  const unrecorded = recorded.output.split('\n\n').find((part) => part.includes(asked))
  await expectGolden(unrecorded!, 'global-set-up', { [GATEWAY]: '<gateway>' })
  expect(told).toContain('warm up')
  const off = await project.run(['loopback'], { RECORD: 'off' })
  expect(off.output).not.toContain('[vitest-cassette]')
})

test.each(['teardown', 'reporter'])(
  'what a %s asks when all tests have ended fails a recording',
  async (part) => {
    const project = new VitestProject('escapes', { HOST, GATEWAY, GLOBAL: part })
    const recorded = await project.record(['loopback'])
    expect(recorded.output).toContain(
      `Unrecorded  A request to http://${GATEWAY}/v1/chat/completions by fetch in a global set-up`,
    )
    expect(recorded.exitCode).toBe(1)
    const { output } = await project.run(['loopback'])
    expect(output).toContain('by fetch in a global set-up is refused')
  },
)

test('allowHosts lets a host out where the set-up is imported by hand', async () => {
  const project = new VitestProject('escapes', { HOST, ALLOWED: HOST, SETUP: 'import' })
  const run = await project.run(['escapes', '-t', '(fetch|node:net|thread|forked|awaited)$'])
  expect(run.output).toContain('6 passed')
  expect(run.exitCode).toBe(0)
  expect(connections).toBeGreaterThanOrEqual(6)
})

test('clients that are older than the set-up record and replay', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('escapes-early', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(project.files()).toHaveLength(4)
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
})

test('behind a proxy, recording goes through it, and in replay nothing does', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy()
  const env = { ENDPOINT: upstream.url, NODE_USE_ENV_PROXY: '1' }
  const project = new VitestProject('escapes-proxy', {
    ...env,
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
  })
  const recording = await project.record(['-t', 'the environment$'])
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(proxy.asked).toEqual([new URL(upstream.url).host])

  const run = await project.run()
  proxy.stop()
  expect(run.output).toContain('1 passed')
  expect(
    project
      .failures()
      .map(({ code }) => code)
      .toSorted(),
  ).toEqual(['miss', 'refused'])
  expect(run.output).toContain('to api.openai.com:443 by a proxy in a child process is refused')
  expect(run.output).toContain('Tests  2 failed | 1 passed')
  expect(proxy.asked).toHaveLength(1)
})
