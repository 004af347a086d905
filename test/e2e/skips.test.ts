import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type TestsRun } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let run: TestsRun

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('skips', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  run = await project.runTests([], { WORD: 'tomorrow' })
})

afterAll(() => upstream.stop())

test('a test that misses and skips fails, wherever it skips', () => {
  const passed = run.tests.flatMap(({ status, title }) => (status === 'failed' ? [] : title))
  expect(passed).toEqual(['skips when its fixture ends', 'runs if the provider is available'])
  expect(run.exitCode).toBe(1)
  for (const { failureMessages } of run.tests.filter(({ status }) => status === 'failed'))
    expect(failureMessages[0]).toContain('The prompt changed')
})

test('where it skips when its verdict is out, its file fails', () => {
  expect(run.output).toMatch(
    /FAIL {2}skips\.test\.ts \[ skips\.test\.ts \]\nCassetteError: The prompt changed/,
  )
  expect(run.output).toContain('skips.test.ts > around > skips when its fixture ends')
})

test('a file that misses while it is imported fails, where all of its tests are skipped too', () => {
  expect(run.output).toMatch(
    /FAIL {2}suite\.test\.ts \[ suite\.test\.ts \]\nCassetteError: The prompt changed/,
  )
})

test('a skip without a miss stays a skip', async () => {
  const skipped = await project.runEdited(
    'skips.test.ts',
    "await askOrSkip('Who skips', skip)",
    'skip()',
  )
  expect(skipped.exitCode, skipped.output).toBe(0)
  expect(skipped.output).toContain('1 skipped')
})
