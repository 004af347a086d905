import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test('a key that is lent reaches no provider: where a test asks itself, it fails by name', async () => {
  const project = newProject()
  const run = await project.run(['asks-itself'])
  expect(run.exitCode, run.output).toBe(1)
  expect(project.failures()).toEqual([
    expect.objectContaining({
      code: 'refused',
      headline: expect.stringContaining('sk-replay-no-network'),
    }),
  ])
  expect(await upstream.count()).toBe(0)
})

test('a recording without a key says that it takes a real one and where it may come from, and keeps the time that --testTimeout gives its tests', async () => {
  const project = newProject()
  project.write(
    'time.test.ts',
    "import { test } from 'vitest'\n\ntest('has time', ({ task }) => console.log(`time: ${task.timeout}`))\n",
  )
  const run = await project.record(['asks-later', 'time', '--testTimeout=700'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/^ *Keys {2}.* OPENAI_API_KEY/m)
  expect(run.output).toContain("process.loadEnvFile('.env')")
  expect(/time: (\d+)/.exec(run.output)?.[1]).toBe('700')
})

/** HOME is empty, as on CI: whoever runs these tests may have an account there. */
function newProject(): VitestProject {
  return new VitestProject('keys', { ENDPOINT: upstream.url, HOME: '/nonexistent' })
}
