import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  const env = { UPSTREAM_URL: upstream.oddUrl, RESULTS: 'results' }
  project = new VitestProject('../lab/scenarios/outside-tests', env)
  project.write(
    'vitest.config.ts',
    `import { cassettes } from 'vitest-cassette/plugin'
const isImported = process.env.SETUP === 'import'
export default {
  plugins: isImported ? [] : [cassettes()],
  test: { setupFiles: isImported ? ['vitest-cassette/setup'] : [], maxWorkers: 1 },
}
`,
  )
  await project.record()
})

afterAll(() => upstream.stop())

test('-t with RECORD records that test alone again', async () => {
  const before = project.contents()
  project.edit('other.test.ts', "ask('Which file?')", "ask('numbered file')")
  project.edit('other.test.ts', 'Odd: Which file?', 'Odd: numbered file (1)')
  const count = await upstream.count()
  const run = await project.record(['-t', 'asks in another file'])
  expect(run.exitCode, run.output).toBe(0)
  const changed = Object.entries(project.contents()).filter(([file, text]) => before[file] !== text)
  expect(changed.map(([file]) => file)).toEqual([expect.stringContaining('asks-in-another-file')])
  // The module level runs for its file all the same.
  expect(await upstream.count()).toBe(count + 2)
})

test('what a file asks outside of its tests replays with -t, for whichever test it is run', async () => {
  const run = await project.run(
    ['fixture-of-hook', 'teardown', '-t', 'parts after|greets before'],
    {
      UPSTREAM_URL: 'http://127.0.0.1:2',
    },
  )
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('Tests  2 passed | 2 skipped')
})

test('with isolate: false and the set-up imported, all of it replays with the provider away', async () => {
  const env = { UPSTREAM_URL: 'http://127.0.0.1:2', SETUP: 'import' }
  const { exitCode, tests, output } = await project.runTests(['--no-isolate'], env)
  expect(tests.map(({ title, status }) => [title, status])).toEqual(
    tests.map(({ title }) => [title, 'passed']),
  )
  expect(tests).toHaveLength(11)
  expect(output).toContain('FAIL  late.test.ts [ late.test.ts ]')
  expect(exitCode).toBe(1)
  expect(project.json('results/answers.json')).toHaveLength(11)
})
