import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject } from './vitest-project.ts'

const FILE = 'loop.test.ts'
const NAME = 'anthropic'
const MODEL = "model: 'claude-sonnet-5'"

let upstream: Upstream
let project: VitestProject
let recorded: string

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('../lab/scenarios/keep-answer', { UPSTREAM_URL: upstream.url })
  const run = await project.record(['-t', NAME])
  expect(run.exitCode, run.output).toBe(0)
  recorded = project.read(cassette())
  // From here on nobody could answer.
  await upstream.stop()
})

afterAll(() => upstream.stop())

/** The recording without its first headers, or without any. */
function strip(headers: RegExp): void {
  const text = recorded.replace(headers, '')
  expect(text).not.toBe(recorded)
  project.write(cassette(), text)
}

function cassette(): string {
  return project.cassette('an-agent-calls-a-tool-of-anthropic')
}

test('a recording that knows no headers names the command with which it replays, and nothing else passes', async () => {
  strip(/"headers": \{ "anthropic-version": "[^"]+" \},\s*/g)
  const missed = await project.run(['-t', NAME])
  expect(missed.exitCode).toBe(1)
  const failure = failureIn(missed, FILE)
  expect(failure).toContain('header anthropic-version')
  const [, words] = /^ *npx vitest-cassette (older \S+)$/m.exec(failure)!
  const marked = await project.cli(words!)
  expect(marked, marked.output).toMatchObject({ exitCode: 0 })
  expect(marked.output).toContain(
    `${cassette()}\n  ${FILE} > an agent calls a tool of anthropic: exchange-1, exchange-2\n`,
  )
  expect(await project.run(['-t', NAME])).toMatchObject({ exitCode: 0 })
  expect(await project.findings()).toEqual([])
  const again = project.read(cassette())
  expect((await project.cli(words!)).output).toContain('marked already')
  expect(project.read(cassette())).toBe(again)

  const changed = await project.run(['-t', NAME], { SYSTEM: 'You are brief and rude.' })
  expect(failureIn(changed, FILE)).toContain('rude')
  expect(changed.output).not.toContain('vitest-cassette older')
  const model = await project.runEdited(FILE, MODEL, "model: 'claude-opus-5'", ['-t', NAME])
  expect(failureIn(model, FILE)).toContain('claude-opus-5')
  const order = await project.run(['-t', NAME], { TURNED: '1' })
  expect(order.exitCode, order.output).toBe(1)
})

test('a header that is recorded still counts beside one that is not', async () => {
  strip(/"headers": \{ "anthropic-version": "[^"]+" \},\s*/)
  expect(await project.cli(`older ${cassette()}`)).toMatchObject({ exitCode: 0 })
  expect(await project.run(['-t', NAME])).toMatchObject({ exitCode: 0 })
  const headers = "baseURL: UPSTREAM_URL, defaultHeaders: { 'anthropic-version': '2020-01-01' }"
  const changed = await project.runEdited(FILE, 'baseURL: UPSTREAM_URL', headers, ['-t', NAME])
  expect(failureIn(changed, FILE)).toContain('2020-01-01')
  expect(changed.output).not.toContain('vitest-cassette older')
  project.write(cassette(), recorded)
  const refused = await project.cli(`older ${cassette()}`)
  expect(refused.exitCode).toBe(1)
  expect(refused.output).toContain('the headers of exchange-1, exchange-2 are recorded')
  expect(project.read(cassette())).toBe(recorded)
})

test('a recording with all of its headers offers no such command', async () => {
  project.write(cassette(), recorded)
  const headers = "baseURL: UPSTREAM_URL, defaultHeaders: { 'anthropic-beta': 'one' }"
  const changed = await project.runEdited(FILE, 'baseURL: UPSTREAM_URL', headers, ['-t', NAME])
  expect(changed.exitCode).toBe(1)
  expect(changed.output).not.toContain('vitest-cassette older')
})
