import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** A port that nobody listens on; fetch refuses the lowest ones by itself. */
const nowhere = { UPSTREAM_URL: 'http://127.0.0.1:59998' }

const PROJECTS = { PROJECTS: '1' }
const UNISOLATED = { ...PROJECTS, ISOLATE: 'false' }

let upstream: Upstream
let recorded: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = newProject()
  const recording = await recorded.record([], PROJECTS)
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

test('two projects with one folder record cassettes that replay without isolation', async () => {
  expect(recorded.files()).toHaveLength(4)
  const run = await recorded.run([], { ...UNISOLATED, ...nowhere })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('4 replayed')
})

test('two projects with one folder record without isolation, and miss a changed prompt alone', async () => {
  const project = newProject()
  const recording = await project.record([], UNISOLATED)
  expect(recording.exitCode, recording.output).toBe(0)
  expect(project.files()).toEqual(recorded.files())
  const run = await project.run([], { ...PROJECTS, ...nowhere, CHANGED: '1' })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('3 replayed | 1 missed')
})

test('the shards of a run without projects replay what is theirs', async () => {
  for (const shard of ['1/2', '2/2']) {
    const run = await recorded.run(['--shard', shard], nowhere)
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('2 replayed')
  }
})

test.each(['true', 'false'])(
  'watch mode runs again, with isolate: %s',
  async (ISOLATE) => {
    const project = new VitestProject(recorded.dir)
    const watching = project.watch({ ISOLATE, ...nowhere })
    onTestFinished(() => watching.stop())
    const printed = (pattern: RegExp): Promise<void> =>
      expect.poll(() => watching.output, { timeout: 60_000 }).toMatch(pattern)
    await printed(/4 replayed/)
    watching.output = ''
    project.edit('chat.test.ts', "ask('Hello')", "ask('Goodbye')")
    await printed(/1 replayed \| 1 missed/)
    watching.output = ''
    project.edit('chat.test.ts', "ask('Goodbye')", "ask('Hello')")
    await printed(/2 replayed/)
  },
  60_000,
)

function newProject(): VitestProject {
  return new VitestProject('../lab/scenarios/environments', { UPSTREAM_URL: upstream.url })
}
