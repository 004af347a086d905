import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { pools } from './pools.ts'
import { VitestProject } from './vitest-project.ts'

/** A port that nobody listens on; fetch refuses the lowest ones by itself. */
const nowhere = 'http://127.0.0.1:59998'

let upstream: Upstream
let recorded: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = newProject()
  const recording = await recorded.record()
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

const environments: Array<{ POOL?: string } & Record<string, string>> = [
  ...pools.map((POOL) => ({ POOL })),
  ...['forks', 'threads'].map((POOL) => ({ POOL, ISOLATE: 'false' })),
  ...['jsdom', 'happy-dom'].flatMap((ENVIRONMENT) =>
    ['forks', 'vmThreads'].map((POOL) => ({ POOL, ENVIRONMENT })),
  ),
  ...['forks', 'threads'].map((POOL) => ({ POOL, ENVIRONMENT: './own-fetch.ts' })),
  { PROJECTS: '1' },
  { PROJECTS: '1', ISOLATE: 'false' },
]

const isTried = ({ POOL }: { POOL?: string }): boolean => !POOL || pools.includes(POOL)

test.each(environments.filter(isTried))('records and replays in %j', async (env) => {
  const project = newProject()
  const recording = await project.record([], env)
  expect(recording.exitCode, recording.output).toBe(0)
  // The fetch of an environment is no mock.
  expect(recording.output).not.toContain('Unrecorded')
  expect(project.files()).toEqual(recorded.files())
  const run = await recorded.run([], { ...env, ENDPOINT: nowhere })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('4 replayed')
})

test.each([
  { POOL: 'vmThreads' },
  { ISOLATE: 'false' },
  { POOL: 'vmThreads', ENVIRONMENT: 'jsdom' },
  { PROJECTS: '1' },
])('fails on a changed prompt in %j', async (env) => {
  const project = new VitestProject(recorded.dir, { ENDPOINT: nowhere })
  project.edit('http.test.ts', "input: 'Hello'", "input: 'Goodbye'")
  const run = await project.run([], env)
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('The prompt changed')
  expect(run.output).toContain('3 replayed | 1 missed')
})

test('an environment whose globals nothing can replace is refused in a vm pool, with the pools that can', async () => {
  const run = await recorded.run([], { POOL: 'vmThreads', ENVIRONMENT: './own-fetch.ts' })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain(
    'CassetteError: The environment of this file defines fetch, Headers, Request, Response for good, so in a vm pool nothing can be recorded or replayed. Use the pool forks or threads',
  )
})

test('the shards of a run replay what is theirs', async () => {
  for (const shard of ['1/2', '2/2']) {
    const run = await recorded.run(['--shard', shard], { ENDPOINT: nowhere })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('2 replayed')
  }
})

test.each(['true', 'false'])(
  'watch mode runs again, with isolate: %s',
  async (ISOLATE) => {
    const project = new VitestProject(recorded.dir)
    const watching = project.watch({ ISOLATE, ENDPOINT: nowhere })
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
  return new VitestProject('environments', { ENDPOINT: upstream.url })
}
