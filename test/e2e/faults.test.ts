import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('faults')
  recording = await project.record([], { UPSTREAM_URL: upstream.url })
})

afterAll(() => upstream.stop())

test('recording leaves faults out, and says so', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recording.output).toContain("faults happen to recorded answers alone: '429 twice'")
  expect(recording.output).toContain('6 recorded')
})

test('real SDKs try again what went wrong in replay, and get what was recorded', async () => {
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('5 replayed')
})

test('a fault that never happens fails its test', async () => {
  const run = await project.run(['-t', 'a stream'], { MISSING: '1' })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain("faults that never happened: 'cut after event 99'")
})
