import { expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

test('an HTTP/2 client that was constructed before the set-up replays without its provider', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('../lab/scenarios/http2', { UPSTREAM_URL: upstream.url })
  const words = ['--config', 'late.config.ts']
  const recording = await project.record([...words, 'bedrock'])
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  const run = await project.run([...words, 'bedrock'], { SETUP: 'late' })
  expect(run.exitCode, run.output).toBe(0)
})
