import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('no-set-up', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

const NAMED = /No set-up {2}1 .*\n +asks\.test\.ts/

test.each([
  ['a pool that reads no set-up files', { POOL: '1' }],
  ['a plugin that takes them away', { OVERRIDDEN: '1' }],
])('with %s, the run fails and names the file', async (_, env) => {
  for (const RECORD of [undefined, '1', 'new']) {
    const { exitCode, output } = await project.run([], { ...env, RECORD })
    expect(output).toContain('1 passed')
    expect(output).toMatch(NAMED)
    expect(exitCode).toBe(1)
  }
})

test('so does the run that merges the reports of shards', async () => {
  for (const shard of ['1/2', '2/2'])
    await project.run(['--reporter=blob', `--shard=${shard}`], { POOL: '1' })
  const merged = await project.run(['--merge-reports'], { POOL: '1' })
  expect(merged.exitCode).toBe(1)
  expect(merged.output).toMatch(NAMED)
})

test.each([
  ['of a project in mode off', { OVERRIDDEN: '1', MODE: 'off' }, ['asks']],
  ['in RECORD=off', { RECORD: 'off' }, []],
  ['whose types alone are checked', { TYPES: '1' }, []],
  ['of which no test ran', { OVERRIDDEN: '1' }, ['skipped']],
  ['that were set up, in shards', {}, ['--shard=1/2']],
])('files %s are not named', async (_, env, args) => {
  const { exitCode, output } = await project.run(args, env)
  expect(exitCode, output).toBe(0)
  expect(output).not.toContain('No set-up')
})
