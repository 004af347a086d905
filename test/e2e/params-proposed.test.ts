import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { projectOfScenario } from './vitest-project.ts'

test('a model is asked once for the parameters of a conversation that is recorded twice', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.stop())
  const project = projectOfScenario('params-proposed', { ODD_URL: upstream.oddUrl })
  for (const requests of [2, 3]) {
    const recording = await project.record(['-t', 'order'])
    expect(recording.exitCode, recording.output).toBe(0)
    expect(await upstream.count()).toBe(requests)
  }
})
