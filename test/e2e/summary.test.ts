import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const VITEST = 'node ../../../../node_modules/vitest/vitest.mjs run'

let upstream: Upstream
let project: VitestProject
let summaries: Record<'recording' | 'replay' | 'changed' | 'new' | 'nothing', string>

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('summary', { UPSTREAM_URL: upstream.oddUrl })
  summaries = {
    recording: summaryOf(await project.record()),
    replay: summaryOf(await project.run()),
    changed: summaryOf(await project.run([], { CHANGED: '1' })),
    new: summaryOf(await project.run([], { CHANGED: '1', RECORD: 'new' })),
    nothing: summaryOf(await project.run(['-t', 'asks nothing'])),
  }
})

afterAll(() => upstream.stop())

test('recording: how many tests asked and how many exchanges were recorded', () => {
  expect(summaries.recording).toBe('  Cassettes  3 tests\n  Exchanges  5 recorded\n')
})

test('replay: what was replayed, and the calls, tokens, money and time that it saved', () => {
  expect(summaries.replay).toMatch(
    /^ {2}Cassettes {2}3 tests\n {2}Exchanges {2}5 replayed\n {6}Saved {2}5 calls, 158 tokens, \$0\.0\d\d\d, \d+\.\d s of waiting\n$/,
  )
})

test('a changed prompt: what was missed, and what was not asked for', () => {
  expect(summaries.changed).toContain('  Exchanges  3 replayed | 1 missed | 1 unused\n')
})

test('a changed prompt: without a terminal, the run ends with one line for programs, but not on CI', async () => {
  const lineIn = (text: string) => /^\[vitest-cassette\] (\{.*\})$/m.exec(text)?.[1]
  expect(JSON.parse(lineIn(summaries.changed)!)).toMatchObject({
    event: 'misses',
    tests: [{ misses: 1, kind: 'changed' }],
    commands: { show: 'npx vitest-cassette diff --json' },
  })
  expect(lineIn(summaries.replay)).toBeUndefined()
  const onCi = await project.run([], { CHANGED: '1', CI: '1' })
  expect(lineIn(onCi.output)).toBeUndefined()
})

test('mode new: what was replayed and what was recorded', () => {
  expect(summaries.new).toContain('  Exchanges  3 replayed | 1 recorded')
})

test('a run that asks no model has no summary', () => {
  expect(summaries.nothing).toBe('')
})

test('the summary is not part of what a reporter writes to standard output', async () => {
  const { output } = await project.shell(`${VITEST} -t 'asks as ever' --reporter=tap-flat > stdout`)
  expect(output).toContain('Cassettes  1 test')
  expect(project.read('stdout')).toMatch(/^TAP version 13\n1\.\.4\n(?:ok .*\n){4}$/)
})

/** The lines of a run behind Vitest's own summary. */
function summaryOf({ output }: { output: string }): string {
  const start = output.indexOf('  Cassettes  ')
  return start < 0 ? '' : output.slice(start).replace(/\n+$/, '\n')
}
