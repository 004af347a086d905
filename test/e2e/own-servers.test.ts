import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

const AWAY = { UPSTREAM_URL: 'http://127.0.0.1:2' }

let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.stop())

describe('a gateway under test', () => {
  let project: VitestProject
  let recording: Run
  beforeAll(async () => {
    project = new VitestProject('own-servers')
    recording = await project.record(['gateway.test'], { UPSTREAM_URL: upstream.url })
  })

  test('is asked itself while it is recorded, and the cassette has what it asks', () => {
    expect(recording.exitCode, recording.output).toBe(0)
    for (const file of project.files()) {
      const prompts = project.exchanges(file.replace(/\.json$/, '')).map(({ prompt }) => prompt)
      expect(prompts, file).toHaveLength(1)
      expect(JSON.stringify(prompts), file).toContain('Be brief.')
    }
  })

  test('is asked itself in replay', async () => {
    const run = await project.run(['gateway.test'], AWAY)
    expect(run.exitCode, run.output).toBe(0)
  })

  test('fails its tests where it is broken, also after they are recorded', async () => {
    const broken = new VitestProject(project.dir)
    const env = { BROKEN: '1', UPSTREAM_URL: upstream.url }
    const run = await broken.run(['gateway.test'], { ...env, ...AWAY })
    expect(run.output).toContain('Tests  10 failed (10)')
    expect(run.output).toContain('The gateway is broken')
    const recorded = await broken.cli('record --new -- gateway.test', env)
    expect(recorded.exitCode).not.toBe(0)
    expect(recorded.output).toContain('Tests  10 failed (10)')
  })

  test('fails its tests where its instructions change', async () => {
    const run = await project.run(['gateway.test'], { ...AWAY, INSTRUCTIONS: 'Be very brief.' })
    expect(run.output).toContain('Tests  10 failed (10)')
    const failure = failureIn(run, 'gateway.test.ts > in this process > is asked by fetch')
    expect(failure).toContain('CassetteError: The prompt changed: message 1 (system)')
    expect(failure).toContain('+ Be very brief.')
  })
})

describe.each(['forks', 'threads'])('a fake of a suite, in the pool %s', (pool) => {
  test.each([{ RECORD: '1' }, { RECORD: '' }])(
    'is asked itself with %o, and is not recorded',
    async (env) => {
      const project = new VitestProject('own-servers', { GLOBAL: '1', POOL: pool })
      const run = await project.run(['fakes'], env)
      expect(run.exitCode, run.output).toBe(0)
      expect(project.files()).toEqual([])
    },
  )
})
