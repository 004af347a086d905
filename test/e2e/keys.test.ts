import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** What only the recording has. */
const keys = {
  OPENAI_API_KEY: 'sk-of-the-one-who-records',
  ANTHROPIC_API_KEY: 'sk-of-the-one-who-records',
  AWS_BEARER_TOKEN_BEDROCK: 'token-of-the-one-who-records',
  AWS_ACCESS_KEY_ID: 'id-of-the-one-who-records',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-one-who-records',
  AWS_REGION: 'eu-west-1',
}

let upstream: Upstream
let recorded: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = newProject('keys')
  const recording = await recorded.record(['recorded', 'replaced'], keys)
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

test.each(['forks', 'threads', 'vmThreads'])(
  'in replay SDKs start without a key, and only tests that ask see one: %s',
  async (POOL) => {
    const run = await recorded.run(['recorded', 'unset'], { POOL })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('4 replayed')
  },
)

test.each(['forks', 'vmThreads'])(
  'an environment that a test puts in the place of its own lends what it has of that: %s',
  async (POOL) => {
    const run = await recorded.run(['replaced', 'taken'], { POOL })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('29 replayed')
  },
)

test('an empty key, as CI gives to the run of a fork, is no key', async () => {
  const empty = Object.fromEntries(Object.keys(keys).map((name) => [name, '']))
  const run = await recorded.run(['recorded', 'unset'], empty)
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('4 replayed')
})

test.each(['forks', 'threads'])(
  'threads and processes of a test start without a key too, whatever their environment: %s',
  async (POOL) => {
    const provider = await startUpstream()
    const project = new VitestProject('keys', { ENDPOINT: provider.url, HOME: '/nonexistent' })
    const { OPENAI_API_KEY } = keys
    const recording = await project.record(['children'], { OPENAI_API_KEY, POOL })
    await provider.stop()
    expect(recording.exitCode, recording.output).toBe(0)
    const run = await project.run(['children'], { POOL })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('19 replayed')
    expect((await project.run(['children'], { POOL, OPTIONS: '{"keys":false}' })).exitCode).toBe(1)
  },
)

test('where a key is set, it is that one', async () => {
  const run = await recorded.run(['unset'], { OPENAI_API_KEY: 'sk-real', EXPECTED: 'sk-real' })
  expect(run.exitCode, run.output).toBe(0)
})

test('a key that is lent reaches no provider: where a test asks itself, it fails by name', async () => {
  const provider = await startUpstream()
  const { exitCode, output } = await recorded.run(['asks-itself'], { ENDPOINT: provider.url })
  const count = await provider.count()
  await provider.stop()
  expect(exitCode, output).toBe(1)
  expect(output).toContain('has the key that is lent in replay')
  expect(count).toBe(0)
})

test('an SDK gets far enough to say that nothing is recorded', async () => {
  const run = await recorded.run(['asks-later'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('Nothing is recorded for this test')
})

test.each([
  ['with the option keys: false', { OPTIONS: '{"keys":false}' }],
  ['where nothing is replayed', { RECORD: 'off' }],
])('no key is lent %s', async (_, env) => {
  const run = await recorded.run(['asks-later'], env)
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/Missing credentials|OPENAI_API_KEY/)
})

test('a recording without a key says that it takes a real one, and where it may come from', async () => {
  const run = await recorded.record(['asks-later'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/Keys {2}Recording asks the provider itself, .* OPENAI_API_KEY/)
  expect(run.output).toContain("process.loadEnvFile('.env')")
})

test('while recording a test has minutes, unless the user said how long it may take', async () => {
  const project = newProject('keys')
  project.write(
    'time.test.ts',
    "import { test } from 'vitest'\n\ntest('has time', ({ task }) => console.log(`time: ${task.timeout}`))\n",
  )
  const times = [
    await project.record(['time']),
    await project.record(['time', '--testTimeout=700']),
    await project.run(['time']),
  ].map(({ output }) => /time: (\d+)/.exec(output)?.[1])
  expect(times).toEqual(['300000', '700', '5000'])
})

/** HOME is empty, as on CI: whoever runs these tests may have an account there. */
function newProject(name: string): VitestProject {
  const project = new VitestProject(name, { ENDPOINT: upstream.url, HOME: '/nonexistent' })
  return project
}
