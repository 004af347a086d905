import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test('the option mode: new records what is missing where CI is "false"', async () => {
  const project = newProject()
  const run = await project.run([], { OPTIONS: '{"mode":"new"}', CI: 'false' })
  expect(run.exitCode, run.output).toBe(0)
  expect(project.files()).toHaveLength(2)
})

test('on CI RECORD is refused with the variable that overrides it, and the override records', async () => {
  const project = newProject()
  const before = await upstream.count()
  const refused = await project.record([], { CI: 'true' })
  expect(refused.exitCode).not.toBe(0)
  expect(refused.output).toContain('RECORD_IN_CI=1')
  expect(project.files()).toEqual([])
  expect(await upstream.count()).toBe(before)

  const overridden = await project.record([], { CI: 'true', RECORD_IN_CI: '1' })
  expect(overridden.exitCode, overridden.output).toBe(0)
  expect(project.files()).toHaveLength(2)
})

test.each(['plugin', 'import'])(
  'a RECORD that is no mode fails and lists the modes, set up by %s',
  async (SETUP) => {
    const run = await newProject().run([], { RECORD: 'tpyo', SETUP })
    expect(run.exitCode).not.toBe(0)
    for (const mode of [
      'RECORD=tpyo',
      'RECORD=1',
      'RECORD=all',
      'RECORD=new',
      'RECORD=off',
      'RECORD=0',
    ])
      expect(run.output).toContain(mode)
  },
)

function newProject(): VitestProject {
  return new VitestProject('modes', { UPSTREAM_URL: upstream.oddUrl })
}
