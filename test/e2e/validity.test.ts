import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunStatistics } from '../../src/config/option-values.ts'
import { readStatistics } from '../../src/features/run-statistics.ts'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const LIMIT = '{"maxAge":90}'

let upstream: Upstream
let project: VitestProject
let often: string

// Its recordings lie in the scenario: one has a mark, and one is old.
beforeAll(async () => {
  upstream = await startUpstream()
  const env = { UPSTREAM_URL: upstream.oddUrl }
  project = new VitestProject('../lab/scenarios/validity', env)
  project.write(
    'vitest.config.ts',
    `import { cassettes } from 'vitest-cassette/plugin'
export default {
  plugins: [cassettes(JSON.parse(process.env.OPTIONS ?? '{}'))],
  test: { setupFiles: ['./why-invalid.ts'] },
}
`,
  )
  often = project.cassette('fails-often')
})

afterAll(() => upstream.stop())

test('RECORD=new in CI records nothing again that is only invalid, also with RECORD_IN_CI', async () => {
  const before = project.contents()
  const env = { OPTIONS: LIMIT, CI: '1', RECORD: 'new', RECORD_IN_CI: '1' }
  const run = await project.run([], env)
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toMatch(/^ +Invalid {2}2 cassettes/m)
  expect(project.contents()).toEqual(before)
})

test('record --changed records nothing that is only invalid, and names the command that does', async () => {
  const count = await upstream.count()
  const warned = await project.cli('record --changed 2>/dev/null', { OPTIONS: LIMIT })
  expect(warned.exitCode, warned.output).toBe(0)
  await expectGolden(warned.output, 'only-invalid')
  const options = '{"maxAge":90,"invalid":"fail"}'
  const failed = await project.cli('record --missing', { OPTIONS: options })
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toMatch(/^2 cassettes .*\n {2}npx vitest-cassette record --new$/m)
  expect(await upstream.count()).toBe(count)
})

test('a mark can be undone, and the summary says what to do about a retired model', async () => {
  const copy = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const undone = await copy.cli('invalidate --undo called')
  expect(undone.exitCode, undone.output).toBe(0)
  const run = await copy.run([], { OPTIONS: '{"retiredModels":["gpt-5"],"invalid":"fail"}' })
  expect(run.exitCode).toBe(1)
  expect(run.output).not.toContain('the tool is gone')
  await expectGolden(/^ +Invalid {2}[^]*?(?=\n\n)/m.exec(run.output)![0], 'retired')
})

test('runs are counted outside of git, and what they say makes a recording invalid', async () => {
  expect((await project.run()).exitCode).toBe(0)
  const before = runsOf(often)
  for (const _ of [1, 2])
    expect((await project.run(['-t', 'often'], { FAILS: '1' })).exitCode).toBe(1)
  const { attempts, failures } = before
  expect(runsOf(often)).toMatchObject({
    attempts: attempts + 2,
    failures: failures + 2,
    failuresInARow: 2,
  })
  const strict = { OPTIONS: '{"maxFailures":1,"invalid":"fail"}', WHY: 'runs' }
  const failed = await project.run(['-t', 'often'], strict)
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toMatch(new RegExp(`failures: 2 .* ${attempts + 2} attempts; .* 1\\b`))
  expect(failed.output).toContain(`whyInvalid: used ${attempts + 2} times`)
  // It did what it should but for its recording, which is no reason to trust that again.
  expect(runsOf(often)).toMatchObject({ attempts: attempts + 3, failuresInARow: 2 })
  const again = await project.run(['-t', 'often'], strict)
  expect(again.exitCode).toBe(1)
  expect(again.output).toContain('failures: 2 ')

  const thrown = await project.run(['-t', 'often'], { WHY: 'no such registry' })
  expect(thrown.exitCode).toBe(1)
  expect(thrown.output).toContain('whyInvalid threw: Error: no such registry')
})

function timestampOf(from: VitestProject, cassette: string): string {
  return (JSON.parse(from.read(cassette)) as { timestamp: string }).timestamp
}

function runsOf(cassette: string): RunStatistics {
  return readStatistics(project.dir).runsOf(cassette, timestampOf(project, cassette))!
}
