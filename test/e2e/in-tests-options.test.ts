import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let changed: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('in-tests', { UPSTREAM_URL: upstream.url })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  changed = await project.run(['options'], { CHANGED: '1' })
})

afterAll(() => upstream.stop())

test('options of a test hold for the test, wherever they are set', async () => {
  const replay = await project.run(['options'])
  expect(replay.exitCode, replay.output).toBe(0)
})

test.for([['--pool=vmThreads'], ['--no-isolate', '--no-file-parallelism']])(
  'and however Vitest runs its files: %s',
  async (args) => {
    const replay = await project.run(args)
    expect(replay.exitCode, replay.output).toBe(0)
  },
)

test('options of a test hold for no other test', () => {
  const failed = [...changed.output.matchAll(/^ FAIL {2}options\.test\.ts.* > (.+)$/gm)]
  expect(failed.map(([, title]) => title)).toEqual([
    'the nearest wins',
    'and this one is as strict as ever',
  ])
  expect(changed.output).toContain('Not asked for: 1 of 2 recorded exchanges')
})

test('a test records while its file replays', async () => {
  // A listed host is guarded in replay, against everything but the recording of that test.
  const copy = new VitestProject(project.dir, { UPSTREAM_URL: upstream.url })
  const run = await copy.run(['options'], { CHANGED_ONCE: '1', HOSTS: '127.0.0.1' })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('1 recorded')
  const replay = await copy.run(['options'], { CHANGED_ONCE: '1', CI: '1' })
  expect(replay.exitCode, replay.output).toBe(0)
})
