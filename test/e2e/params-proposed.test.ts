import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('params-proposed', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recording.output).toContain('no parameters were proposed: No model')
})

afterAll(() => upstream.stop())

test('a proposal is asked for once, stored for review, and has no effect', async () => {
  expect(await upstream.count()).toBe(3)
  const again = await project.record()
  expect(again.exitCode, again.output).toBe(0)
  expect(await upstream.count()).toBe(5)
  const stored = project.json(project.cassette('order'))
  expect(stored.proposed_params).toEqual({ orderId: 'B-4711' })
  expect(stored.params).toBeUndefined()
  expect(project.files()).toHaveLength(2)
  expect(await project.findings()).toEqual([])
  const replay = await project.run()
  expect(replay.exitCode, replay.output).toBe(0)
  expect((await project.run([], { ORDER: 'C-5822', DECLARED: '1' })).exitCode).toBe(1)
})

test('what is accepted serves every value, once the test declares it', async () => {
  const shown = await project.cli('params')
  expect(shown.output).toContain('proposed: cassette.params({ orderId: "B-4711" })')
  const accepted = await project.cli('params --accept order')
  expect(accepted.exitCode, accepted.output).toBe(0)
  expect(accepted.output).toContain(
    'now the test has to say: cassette.params({ orderId: "B-4711" })',
  )
  expect(project.read(project.cassette('order'))).toContain('Where is order {{orderId}}?')
  expect(await project.findings()).toEqual([])
  const run = await project.run([], { ORDER: 'C-5822', DECLARED: '1' })
  expect(run.exitCode, run.output).toBe(0)
  expect((await project.run([], {})).output).toContain('cassette.params({ orderId: "B-4711" })')
})
