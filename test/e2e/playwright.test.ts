import { createServer } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { expectGolden } from '../golden.ts'
import { isNight } from '../effort.ts'
import { needs, testIf } from '../needs.ts'
import { startRefusingProxy } from '../upstream/start-refusing-proxy.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { documentedRow } from './documented-row.ts'
import { freePort } from './free-port.ts'
import { errorsIn, VitestProject, type Run } from './vitest-project.ts'

const PLAYWRIGHT = fileURLToPath(
  new URL('../../node_modules/@playwright/test/cli.js', import.meta.url),
)

const show = documentedRow('Playwright')

const browser = needs('chromium')

let provider: Upstream
let project: VitestProject
let recorded: Run
let after: Run
/** The address of the provider and the port of the gateway, as they stand in golden files. */
let steady: Record<string, string>

beforeAll(async () => {
  provider = await startUpstream()
  const [PORT, CASSETTE_PORT] = [await freePort(), await freePort()]
  steady = { [hostOf(provider)]: '<provider>', [CASSETTE_PORT]: '<port>' }
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

function hostOf({ url }: Upstream): string {
  return new URL(url).host
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
      const recording = await run('chat -g nothing', { BY_SOCKET, RECORD: '1' })
      expect(recording.exitCode).toBe(1)
      const errors = errorsIn(recording)
      expect(errors).toEqual([expect.stringContaining('page.routeWebSocket()')])
      await expectGolden(errors[0]!, 'socket-of-a-page', { [BY_SOCKET]: '<url>' })
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
    const recording = await run('chat -g nothing', { IN_WORKER, RECORD: '1' })
    listener.close()
    expect(recording.exitCode).toBe(1)
    const errors = errorsIn(recording)
    expect(errors).toEqual([expect.stringContaining(IN_WORKER)])
    await expectGolden(errors[0]!, 'socket-of-a-worker', { [IN_WORKER]: '<url>' })
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
  const changed = await run('api --retries 1', { SYSTEM: 'Answer in two sentences.' })
  const { exitCode, output } = changed
  expect(exitCode).toBe(1)
  expect(output).toContain('3 failed')
  expect(output).toMatch(/- Answer in one sentence\.\n +\+ Answer in two sentences\./)
  expect(output).toContain(
    "RECORD=prompts npx playwright test e2e/api.spec.ts -g 'the interface answers Cleo$'",
  )
  const errors = errorsIn(changed)
  expect(errors).toHaveLength(3 * 2)
  await expectGolden(errors.join('\n\n---\n\n'), 'changed-prompt', steady)
  expect(project.files('e2e/__recordings__/api.spec.ts')).toHaveLength(3)
  show('drift')
})

test('a test that misses and skips fails', async () => {
  const skipping = await run('skips', { SKIPS: 'always' })
  expect(skipping.exitCode).toBe(1)
  expect(skipping.output).toContain('4 failed')
  const errors = errorsIn(skipping)
  expect(errors).toHaveLength(4)
  await expectGolden(errors.join('\n\n---\n\n'), 'skips', steady)
})

testIf(isNight)(
  'a test that misses and skips when it is tried again fails, and so does one that should fail then',
  { timeout: 120_000 },
  async () => {
    const retried = await run('retries --retries 1', { RETRIES: '1' })
    const { exitCode, output } = retried
    expect(exitCode).toBe(1)
    expect(output).toMatch(/^ +11 failed$/m)
    // These two asked nothing.
    expect(output).toMatch(/^ +2 flaky\n.* › passes when.*\n.* › skips when/m)
    const later = errorsIn(retried).filter((text) => !text.includes('RECORD=1 npx playwright test'))
    await expectGolden([...new Set(later)].join('\n\n---\n\n'), 'attempt-before')
  },
)

test('a test that passes and asks nothing of what it has recorded fails', async () => {
  const { exitCode, output } = await run('api -g "Cleo|Dan"', { SILENT: '1' })
  expect(exitCode).toBe(1)
  expect(output).toContain('2 failed')
  expect(output).toContain('CassetteError: Not asked for: 1 of 1 recorded exchanges')
})

test('a run fails in which a server asks when its test has ended', async () => {
  const replay = await run('late', { LATE: '1', WORKERS: '1' })
  expect(replay.exitCode).toBe(1)
  expect(replay.output).toContain('2 passed')
  expect(replay.output).toContain('1 error was not a part of any test')
  const errors = errorsIn(replay)
  expect(errors).toEqual([expect.stringContaining('late.spec.ts > does not wait')])
  await expectGolden(errors[0]!, 'late', steady)
})

test('a recording fails too for what replay will refuse', async () => {
  const online = await startUpstream()
  const OPENAI_BASE_URL = `${online.url}/v1`
  const late = { LATE: '1', WORKERS: '1', RECORD: '1', OPENAI_BASE_URL }
  const recording = await run('late', late)
  await online.stop()
  expect(recording.exitCode).toBe(1)
  expect(recording.output).toContain('2 passed')
  expect(recording.output).toContain('1 error was not a part of any test')
  const errors = errorsIn(recording)
  expect(errors).toEqual([expect.stringContaining('late.spec.ts > does not wait: POST http')])
  await expectGolden(errors[0]!, 'late-recording', { [hostOf(online)]: '<provider>' })
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
  await expectGolden(errorsIn(several).join('\n'), 'several-workers', steady)
})

test('a server that takes its base URL from the header of a request is answered', async () => {
  const { exitCode, output } = await run('api', { ASK_BY_HEADER: '1' })
  expect(exitCode, output).toBe(0)
})

test('what a server asks for no test is not sent, and said', async () => {
  const { exitCode, output } = await run('api -g Cleo', { ASK_AT_START: '1' })
  expect(exitCode, output).toBe(0)
  const said = output.match(/\[vitest-cassette\] .*\n\[WebServer\] .*/g)!.toSorted()
  expect(said).toHaveLength(2)
  await expectGolden(said.join('\n\n'), 'for-no-test', { ...steady, '[WebServer] ': '' })
})
