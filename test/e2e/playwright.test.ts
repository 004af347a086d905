import { createServer } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { needs } from '../needs.ts'
import { startRefusingProxy } from '../upstream/start-refusing-proxy.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { documentedRow } from './documented-row.ts'
import { freePort } from './free-port.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const PLAYWRIGHT = fileURLToPath(
  new URL('../../node_modules/@playwright/test/cli.js', import.meta.url),
)

const show = documentedRow('Playwright')

const browser = needs('chromium')

let provider: Upstream
let project: VitestProject
let recorded: Run
let after: Run

beforeAll(async () => {
  provider = await startUpstream()
  const [PORT, CASSETTE_PORT] = [await freePort(), await freePort()]
  const OPENAI_BASE_URL = `${provider.url}/v1`
  project = new VitestProject('playwright', { PORT, CASSETTE_PORT, OPENAI_BASE_URL, CHROMIUM })
  after = await run('after', { RECORD: '1', LATE: '1', WORKERS: '1' })
  recorded = await run('skip' in browser ? 'api' : '', { RECORD: '1' })
  await provider.stop()
})
afterAll(() => provider.stop())

function run(args: string, environment: Record<string, string> = {}): Promise<Run> {
  return project.shell(`node ${PLAYWRIGHT} test ${args} 2>&1`, environment)
}

/** The names of the cassettes of some files. */
function cassettesIn(...files: string[]): string[] {
  return project
    .files('e2e/__recordings__')
    .filter((file) => files.includes(file.split('.')[0]!))
    .map((file) => file.replace(/-\w+\.json/, ''))
}

test('each test of two workers has its own cassette, beside its file', () => {
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(recorded.output).toContain('using 2 workers')
  expect(cassettesIn('after', 'api')).toEqual([
    'after.spec.ts/waits-for-what-the-server-does-after-its-response',
    'api.spec.ts/answers-cleo',
    'api.spec.ts/answers-dan',
    'api.spec.ts/does-not-do-yet-what-it-should',
  ])
  show('record')
})

describe('in a browser', browser, () => {
  test('each test of a page has its own cassette, and so has its file', () => {
    expect(cassettesIn('chat', 'hooks', 'routes', 'unseen')).toEqual([
      'chat.spec.ts/asks-a-model-from-the-page',
      'chat.spec.ts/greets-ada',
      'chat.spec.ts/greets-bob',
      'chat.spec.ts/is-known-to-its-server-by-a-cookie',
      'chat.spec.ts/talks-with-its-server-over-a-socket',
      'hooks.spec.ts/_file.json',
      'hooks.spec.ts/goes-on-with-a-page-of-before-all',
      'hooks.spec.ts/goes-on-with-it-again',
      'routes.spec.ts/answers-in-the-place-of-a-provider',
      'routes.spec.ts/lets-all-requests-of-a-context-continue',
      'routes.spec.ts/lets-all-requests-of-a-page-continue',
      'routes.spec.ts/opens-a-context-of-its-own',
      'routes.spec.ts/takes-all-routes-away',
      'unseen.spec.ts/asks-from-a-shared-worker',
      'unseen.spec.ts/asks-from-the-first-script-of-a-new-window',
      'unseen.spec.ts/asks-from-the-first-script-of-a-sandboxed-frame',
      'unseen.spec.ts/asks-from-workers-of-workers',
    ])
  })

  test('what a page, its server and beforeAll ask is replayed when the provider is gone, whatever a test routes and whichever context it opens', async () => {
    const [first] = project.files('e2e/__recordings__/chat.spec.ts')
    project.leaveOrphan(`e2e/__recordings__/chat.spec.ts/${first}`)
    const { exitCode, output } = await run('chat hooks routes unseen')
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/1 flaky\n[^]*16 passed|17 passed/)
    show('replay')
    expect(output).not.toContain('is-gone')
    project.remove('e2e/__recordings__/chat.spec.ts/is-gone-0123456789.json')
    show('orphan', 'not told')
  })

  test("a proxy of the browser gets nothing of a page's calls", async () => {
    const proxy = await startRefusingProxy()
    const { exitCode, output } = await run('chat -g "from the page"', { PROXY: proxy.url })
    proxy.stop()
    expect(exitCode, output).toBe(0)
    expect(proxy.got()).not.toMatch(/caught|From a page|sk-of-a-page/)
  })

  test.for(['wss://api.openai.com/v1/realtime', 'ws://127.0.0.1:9/v1/realtime'])(
    'a socket from a page to a provider is refused, while recording too: %s',
    async (BY_SOCKET) => {
      const { exitCode, output } = await run('chat -g nothing', { BY_SOCKET, RECORD: '1' })
      expect(exitCode).toBe(1)
      expect(output).toContain(
        `CassetteError: A page opened a WebSocket to a provider, ${BY_SOCKET}.`,
      )
      expect(output).toContain('page.routeWebSocket()')
      expect(output).not.toContain('certificate')
    },
  )

  test('a socket from a worker of a page to a provider is refused, and does not reach it', async () => {
    let reached = 0
    const listener = createServer((socket) => {
      reached += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const IN_WORKER = `ws://127.0.0.1:${(listener.address() as { port: number }).port}/v1/realtime`
    const { exitCode, output } = await run('chat -g nothing', { IN_WORKER, RECORD: '1' })
    listener.close()
    expect(exitCode).toBe(1)
    expect(output).toContain(
      `CassetteError: A worker of a page opened a WebSocket to a provider, ${IN_WORKER}. No cassette`,
    )
    expect(reached).toBe(0)
  })

  test('beforeAll has a cassette for its file, and its page asks for the test that runs', async () => {
    const one = await run('hooks -g again')
    expect(one.exitCode, one.output).toBe(0)

    const later = await run('hooks', { SECOND: 'Third' })
    expect(later.exitCode).toBe(1)
    expect(later.output).toMatch(/goes on with it again[^]*- Second\n +\+ Third/)
    const seed = await run('hooks', { SEED: 'Weed' })
    expect(seed.exitCode).toBe(1)
    expect(seed.output).toContain('e2e/__recordings__/hooks.spec.ts/_file.json (0 of 1')
    expect(seed.output).toMatch(/- Seed\n +\+ Weed/)
    expect(seed.output).toContain('RECORD=1 npx playwright test e2e/hooks.spec.ts\n')
  })
})

test('a changed prompt fails with the diff: at once, when tried again, and where the test should fail', async () => {
  const { exitCode, output } = await run('api --retries 1', { SYSTEM: 'Answer in two sentences.' })
  expect(exitCode).toBe(1)
  expect(output).toContain('3 failed')
  expect(output).toContain('message 1 (system): text edited ("one sentence." → "two sentences.")')
  expect(output).toMatch(/- Answer in one sentence\.\n +\+ Answer in two sentences\./)
  expect(output).toContain(
    "RECORD=prompts npx playwright test e2e/api.spec.ts -g 'the interface answers Cleo$'",
  )
  expect(output).toContain('Then the test failed with: Error: expect(received).toBe(expected)')
  expect(output.split('CassetteError: The prompt changed')).toHaveLength(1 + 3 * 2)
  expect(project.files('e2e/__recordings__/api.spec.ts')).toHaveLength(3)
  show('drift')
})

test('a test that misses and skips fails', async () => {
  const { exitCode, output } = await run('skips', { SKIPS: 'always' })
  expect(exitCode).toBe(1)
  expect(output).toContain('4 failed')
  expect(output.match(/CassetteError: Nothing is recorded for this test/g)).toHaveLength(4)
})

test('a test that misses and skips when it is tried again fails, and so does one that should fail then', async () => {
  const { exitCode, output } = await run('retries --retries 1', { RETRIES: '1' })
  expect(exitCode).toBe(1)
  expect(output).toMatch(/^ +11 failed$/m)
  // These two asked nothing.
  expect(output).toMatch(/^ +2 flaky\n.*when it is tried again.*\n.*when it is tried again/m)
  expect(output).toContain(
    'CassetteError: An attempt before failed for its cassette, and this one is skipped',
  )
  expect(output).toContain('and this one fails as expected')
}, 120_000)

test('a test that passes and asks nothing of what it has recorded fails', async () => {
  const { exitCode, output } = await run('api -g "Cleo|Dan"', { SILENT: '1' })
  expect(exitCode).toBe(1)
  expect(output).toContain('2 failed')
  expect(output).toContain('CassetteError: Not asked for: 1 of 1 recorded exchanges')
})

test('a run fails in which a server asks when its test has ended', async () => {
  const { exitCode, output } = await run('late', { LATE: '1', WORKERS: '1' })
  expect(exitCode).toBe(1)
  expect(output).toContain('2 passed')
  expect(output).toContain('1 error was not a part of any test')
  expect(output).toContain(
    'A request was sent when its test had ended: "late.spec.ts > does not wait"',
  )
})

test('a recording fails too for what replay will refuse', async () => {
  const online = await startUpstream()
  const OPENAI_BASE_URL = `${online.url}/v1`
  const late = { LATE: '1', WORKERS: '1', RECORD: '1', OPENAI_BASE_URL }
  const { exitCode, output } = await run('late', late)
  await online.stop()
  expect(exitCode).toBe(1)
  expect(output).toContain('2 passed')
  expect(output).toContain('1 error was not a part of any test')
  expect(output).toContain('1 request was sent when its test had ended, and is in no cassette')
  expect(output).toContain('late.spec.ts > does not wait: POST http')
})

test('a test waits for what its server asks after the response', async () => {
  expect(after.exitCode, after.output).toBe(0)
  const { exitCode, output } = await run('after', { LATE: '1', WORKERS: '1' })
  expect(exitCode, output).toBe(0)
})

test('a server that is told nothing but its base URL is answered for the test that runs', async () => {
  const { exitCode, output } = await run('api', { AT_PORT: '1' })
  expect(exitCode, output).toBe(0)
  const several = await run('api -g Cleo', { AT_PORT: '1', WORKERS: '2' })
  expect(several.exitCode).toBe(1)
  expect(several.output).toContain('2 tests may run at the same time here')
})

test('a server that takes its base URL from the header of a request is answered', async () => {
  const { exitCode, output } = await run('api', { ASK_BY_HEADER: '1' })
  expect(exitCode, output).toBe(0)
})

test('what a server asks for no test is not sent, and said', async () => {
  const { exitCode, output } = await run('api -g Cleo', { ASK_AT_START: '1' })
  expect(exitCode, output).toBe(0)
  expect(output).toContain('This app server asks')
  expect(output).toContain('for no test')
  expect(output).toContain('A worker thread of this app server asks')
  expect(output).toContain('Give the client in the thread the address of the test')
})
