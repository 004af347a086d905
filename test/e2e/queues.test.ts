import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

/** Nobody answers there. */
const AWAY = { UPSTREAM_URL: 'http://127.0.0.1:2' }

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('queues', { UPSTREAM_URL: upstream.url })
  recording = await project.record()
})

afterAll(() => upstream.stop())

test('it is recorded', async () => {
  console.log(recording.output)
  for (const f of project.files())
    console.log(
      f,
      project.exchanges(f.replace(/\.json$/, '')).map((e) => e.prompt.text),
    )
  const run = await project.run([], AWAY)
  console.log(run.output)
  expect(recording.exitCode, recording.output).toBe(0)
  expect(run.exitCode).toBe(0)
})
