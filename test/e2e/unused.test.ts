import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { projectOfScenario } from './vitest-project.ts'

test('a run with -t accuses no other test of unused exchanges, and changes no other cassette', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.stop())
  const project = projectOfScenario('unused', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  const recorded = project.contents()
  const count = await upstream.count()
  for (const RECORD of ['0', '1']) {
    const filtered = await project.run(['-t', 'asks as ever'], { RECORD })
    expect(filtered.exitCode, filtered.output).toBe(0)
    expect(filtered.output).not.toMatch(/\d unused/)
    expect(project.contents()).toEqual(recorded)
    expect(await upstream.count()).toBe(count + Number(RECORD))
  }
})

test('the command of a test that asks less drops what it does not ask for, and sends no request', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.stop())
  const project = projectOfScenario('unused', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record(['-t', 'asks less'])
  expect(recording.exitCode, recording.output).toBe(0)
  const count = await upstream.count()
  const failing = await project.run(['plans', '-t', 'asks less'], { LESS: '1' })
  const [command] = /npx vitest-cassette record --new .*/.exec(failing.output) ?? []
  const dropped = await project.shell(command!, { LESS: '1' })
  expect(dropped.exitCode, dropped.output).toBe(0)
  expect(project.prompts('asks-less')).toEqual(['And when do we start?'])
  expect(await upstream.count()).toBe(count)
})
