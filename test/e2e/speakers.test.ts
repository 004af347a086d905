import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type TestsRun } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: TestsRun
let replay: TestsRun

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('speakers', {
    UPSTREAM_URL: upstream.oddUrl,
    OPENAI_API_KEY: 'not-a-key-at-all',
  })
  recording = await project.runTests([], { RECORD: '1' })
  await upstream.stop()
  replay = await project.runTests()
})

afterAll(() => upstream.stop())

/** The titles of the tests that passed, in the order of their file. */
function passedIn({ tests }: TestsRun): string[] {
  return tests.filter(({ status }) => status === 'passed').map(({ title }) => title)
}

test('a speaker answers in the format asked for, plain and streamed, recording and replaying', () => {
  const answered = [
    'a script goes on from the cassette, streamed: false',
    'a script goes on from the cassette, streamed: true',
  ]
  expect(passedIn(replay)).toEqual(answered)
  expect(passedIn(recording)).toEqual([
    ...answered,
    'a script that ends too early',
    'a step is left to the provider',
  ])
})

test('what it says stands in no cassette, and is counted by its name', () => {
  expect(
    project.read(project.cassette('a-script-goes-on-from-the-cassette-streamed-false')),
  ).not.toContain('Second.')
  expect(replay.output).toMatch(/Exchanges {2}3 replayed.* 5 by script/)
})

test('a speaker that fails a step fails the test, with its reason', () => {
  expect(recording.output).not.toContain('FAIL')
  expect(replay.output).toMatch(/^ FAIL .* a script that ends too early$/m)
  expect(replay.output).toContain('The speaker "script" failed: line 2 is not written')
})

test('a step that is left to the provider is recorded, and refused where nothing is sent', () => {
  expect(recording.output).not.toMatch(/^ FAIL .* a step is left to the provider$/m)
  expect(replay.output).toMatch(/^ FAIL .* a step is left to the provider$/m)
  expect(replay.output).toContain('A speaker leaves a step to "live", and this run sends nothing.')
})
