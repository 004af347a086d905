import { startedBy } from '../../src/config/environment.ts'
import { expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

test('what an attempt did that was tried again is told by none, and not to the doctor', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('retries', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  await upstream.stop()
  expect(recording.output).not.toContain('[vitest-cassette]')
  expect(recording.output).not.toContain('is kept in')
  const run = await project.run([], { CHANGED: '1', ...startedBy('doctor', project.dir) })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).not.toMatch(/prompt changed|Cassette\w*Error|\[vitest-cassette\]/)
  expect(run.output).toContain('1 replayed')
  expect(project.read('lines.jsonl')).not.toContain('"kind":"diagnosis"')
})
