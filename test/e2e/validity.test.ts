import { afterAll, beforeAll, expect, test } from 'vitest'
import { withFileHash } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import type { RunStatistics } from '../../src/config/options.ts'
import { readStatistics } from '../../src/features/run-statistics.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const LIMIT = '{"maxAge":90}'

let upstream: Upstream
let project: VitestProject
let called: string
let old: string
let often: string
let recordedAt: string

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('validity', { UPSTREAM_URL: upstream.oddUrl })
  await succeeds(project.record())
  called = project.cassette('was-called-invalid')
  old = project.cassette('is-old')
  often = project.cassette('fails-often')
  recordedAt = timestampOf(project, old)
  const marked = await succeeds(project.cli('invalidate "was called" --reason "the tool is gone"'))
  expect(marked.output).toContain(`${called}\n1 cassette marked as invalid.`)
  // As it would have been written then: its hash counts the date.
  const then = { ...JSON.parse(project.read(old)), timestamp: '2020-01-01T00:00:00.000Z' }
  project.write(old, printCassette(withFileHash(then)))
})

afterAll(() => upstream.stop())

test('the date of a recording is the real one, whatever time the test sets', () => {
  expect(Math.abs(Date.now() - Date.parse(recordedAt))).toBeLessThan(600_000)
})

test('what is invalid is replayed, named once, and fails a test by option only', async () => {
  const count = await upstream.count()

  const warned = await succeeds(project.run([], { OPTIONS: LIMIT }))
  expect(warned.output).toContain('    Invalid  2 cassettes are no longer valid\n')
  expect(warned.output).toMatch(
    new RegExp(`${called}\n +mark: called invalid on [\\d-]+: the tool is gone\n`),
  )
  expect(warned.output).toMatch(/age: recorded [\d,]+ days ago, on 2020-01-01; the limit is 90\n/)
  expect(warned.output.match(/the tool is gone/g)).toHaveLength(1)
  expect(warned.output).not.toContain(often)

  const options = '{"maxAge":90,"invalid":"fail","mode":"new"}'
  const failed = await project.run([], { OPTIONS: options, CI: '1' })
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toContain('2 failed | 1 passed')
  expect(failed.output).toMatch(/CassetteError: The recording is no longer valid: mark: called/)
  expect(failed.output).toMatch(/× mark: .*\n +✓ age: recorded 0 days ago/)
  expect(failed.output).toMatch(
    /npx vitest-cassette record orders\.test\.ts -t '\^was called invalid\$'/,
  )
  expect(failed.output).toContain(`npx vitest-cassette invalidate --undo ${called}`)
  const insisted = { OPTIONS: LIMIT, CI: '1', RECORD: 'new', RECORD_IN_CI: '1' }
  expect((await succeeds(project.run([], insisted))).output).toContain('2 cassettes are no longer')
  expect(await upstream.count()).toBe(count)
})

test('record --changed records nothing that is only invalid, and names the command that does', async () => {
  const count = await upstream.count()
  const named =
    '2 cassettes are no longer valid. To record them again:\n  npx vitest-cassette record --new\n'
  const warned = await succeeds(project.cli('record --changed', { OPTIONS: LIMIT }))
  expect(warned.output).toContain(`Nothing to record: no test misses.\n${named}`)
  const options = '{"maxAge":90,"invalid":"fail"}'
  const failed = await project.cli('record --missing', { OPTIONS: options })
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toContain(named)
  expect(await upstream.count()).toBe(count)
})

test('verify says what each strategy says', async () => {
  const verify = 'verify --max-age 90 --retired-models "gpt-4*"'
  const warned = await succeeds(project.cli(verify))
  expect(warned.output).toMatch(
    /:6 {2}validity {2}\/invalid: The recording is no longer valid\. × mark: .*the tool is gone; ✓ age: recorded 0 days ago, .*; ✓ models: no model of it is retired\./,
  )
  expect(warned.output).toMatch(
    /:5 {2}validity {2}\/timestamp: .*✓ mark: .*; × age: recorded [\d,]+ days/,
  )
  const failed = await project.cli(`${verify} --invalid fail`)
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toContain('2 problems')
})

test('RECORD=new records again what is invalid, all of it and nothing else', async () => {
  const copy = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const [valid, count] = [copy.read(often), await upstream.count()]
  const run = await succeeds(copy.run([], { OPTIONS: LIMIT, RECORD: 'new' }))
  expect(run.output).toContain('1 replayed | 3 recorded')
  expect(run.output).not.toContain('no longer valid')
  expect(await upstream.count()).toBe(count + 3)
  expect(copy.read(often)).toBe(valid)
  expect(copy.read(called)).not.toContain('the tool is gone')
  // Though its answer is the same.
  expect(Date.now() - Date.parse(timestampOf(copy, old))).toBeLessThan(600_000)
  const after = await succeeds(copy.run([], { OPTIONS: '{"maxAge":90,"invalid":"fail"}' }))
  expect(after.output).not.toContain('no longer valid')
  expect(await copy.findings()).toEqual([])
})

test('a recording of a retired model is recorded again only when the code asks another model', async () => {
  const copy = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const retired = '{"retiredModels":["gpt-5"],"invalid":"fail"}'
  const failed = await copy.run([], { OPTIONS: retired })
  expect(failed.exitCode).toBe(1)
  expect(failed.output).toContain('Ask another model in your code, and record it again:\n')
  expect(failed.output).toContain('To record invalid cassettes again: npx vitest-cassette record')
  expect(failed.output).toContain('First ask other models in your code than those')
  await succeeds(copy.cli('invalidate --undo called'))
  const alike = await copy.run([], { OPTIONS: retired })
  expect(alike.output.match(/^CassetteError: /gm)).toHaveLength(1)
  expect(alike.output).toContain(
    'The recordings of 3 tests of 1 file are no longer valid, for the same reason: above is the first of them.\n' +
      'Ask another model in your code, and record them again:\n  npx vitest-cassette record --new\n',
  )
  const count = await upstream.count()
  const again = await copy.run([], { OPTIONS: retired.replace('fail', 'warn'), RECORD: 'new' })
  expect(again.output).toContain('gpt-5 is retired')
  expect(await upstream.count()).toBe(count)
  const changed = { OPTIONS: retired, MODEL: 'gpt-6', RECORD: '1' }
  expect((await succeeds(copy.run([], changed))).output).not.toContain('no longer valid')
})

test('runs are counted outside of git, and what they say makes a recording invalid', async () => {
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
  expect(failed.output).toContain(
    `2 failures in a row, of ${attempts + 2} attempts; the limit is 1`,
  )
  expect(failed.output).toContain(`whyInvalid: used ${attempts + 2} times`)
  // It did what it should but for its recording, which is no reason to trust that again.
  expect(runsOf(often)).toMatchObject({ attempts: attempts + 3, failuresInARow: 2 })
  const again = await project.run(['-t', 'often'], strict)
  expect(again.exitCode).toBe(1)
  expect(again.output).toContain('2 failures in a row')

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

async function succeeds(running: Promise<Run>): Promise<Run> {
  const run = await running
  expect(run.exitCode, run.output).toBe(0)
  return run
}
