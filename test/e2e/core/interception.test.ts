import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

const BLOCKED = ['fetch', 'node:http', 'undici request', 'undici fetch']

/** Requests of the tests that are no LLM calls. */
const PASSING = 5

let provider: Upstream
/** A server that is no provider, or one on the same machine that is always there. */
let app: Upstream
let project: VitestProject
let recording: Run
let replay: Run
let seenByProvider: Record<string, string>
let passed: number

beforeAll(async () => {
  ;[provider, app] = await Promise.all([startUpstream(), startUpstream()])
  project = new VitestProject('interception', { ODD_URL: provider.oddUrl, APP_URL: app.oddUrl })
  recording = await project.record([], { RESULTS: 'recorded' })
  seenByProvider = await provider.seen()
  await provider.stop()
  const before = await app.count()
  replay = await project.run([], { RESULTS: 'replayed' })
  passed = (await app.count()) - before
})

afterAll(() => Promise.all([provider.stop(), app.stop()]))

test('everything is recorded that the set-up of the user lets through', () => {
  expect(failedIn(recording)).toEqual([
    '|msw-after| msw-after.test.ts > the user has not let model calls pass',
  ])
  // Where that server listened first, it refuses the call itself.
  expect(project.files()).toHaveLength(14)
})

test('where a server of the user treats model calls as errors, the failure says what to do', () => {
  expect(recording.output).toContain(`\n  http.all('${provider.oddUrl}/*', () => passthrough())`)
})

test('everything is replayed without the provider, and what has no cassette is blocked', () => {
  expect(failedIn(replay)).toEqual(
    BLOCKED.map((client) => `|clients| clients.test.ts > is blocked: ${client}`).toSorted(),
  )
  expect(replay.output.match(/^CassetteError: /gm)).toHaveLength(1)
  expect(replay.output).toContain('4 tests of 1 file')
})

test.each([
  ['an own LLM call on a host of the option', 'clients.test.ts/a-host-of-the-option'],
  ['a client built before the set-up', 'early.test.ts/a-client-that-was-built'],
  ['sockets open before the set-up', 'early.test.ts/sockets-that-are-still-open'],
  ['a server of msw that listened first', 'msw-before.test.ts/the-users-own-server-is-reset'],
  ['a server of msw that listened later', 'msw-after.test.ts/the-users-own-server-is-reset'],
])('is intercepted: %s', (_, cassette) => {
  expect(project.files()).toContainEqual(expect.stringContaining(cassette))
})

test('another host is read by the dialect that knows no format', () => {
  const [exchange] = project.exchanges('a-host-of-the-option')
  expect(exchange.prompt).toMatchObject({
    text: 'Draw.',
    metadata: { provider: 'localhost', operation: 'generate' },
  })
})

test('traffic that is no LLM call passes in every mode, its headers untouched', () => {
  for (const results of ['recorded', 'replayed']) {
    const seen = project.json(`${results}/seen.json`) as Record<string, object>
    expect(Object.keys(seen)).toHaveLength(PASSING)
    for (const headers of Object.values(seen)) {
      expect(headers).toHaveProperty('x-own', 'yes')
      expect(JSON.stringify(headers)).not.toContain('vitest-cassette')
    }
  }
})

test('what is asked over sockets opened before the set-up is not among what passes', () => {
  expect(passed).toBe(PASSING)
})

test('a provider that is recorded from sees nothing of this package', () => {
  expect(seenByProvider).toHaveProperty('accept')
  expect(JSON.stringify(seenByProvider)).not.toContain('vitest-cassette')
})

function failedIn({ output }: Run): string[] {
  return (output.match(/(?<= FAIL {2}).*/g) ?? []).toSorted()
}
