import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run
let replay: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('speakers', {
    UPSTREAM_URL: upstream.oddUrl,
    OPENAI_API_KEY: 'not-a-key-at-all',
  })
  recording = await project.record()
  await upstream.stop()
  replay = await project.run()
})

afterAll(() => upstream.stop())

test('a speaker answers in the format asked for, plain and streamed, recording and replaying', () => {
  for (const { output } of [recording, replay])
    expect(output).not.toMatch(/^ FAIL .* a script goes on/m)
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
