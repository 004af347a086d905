import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let cassettes: string[]
let run: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('unused', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  cassettes = project.files()
  project.edit('plans.test.ts', "await ask('Where to?')\n", '')
  project.edit('plans.test.ts', "await ask('Anything else?')\n", '')
  run = await project.run(['plans'], { FAILS: '1' })
})

afterAll(() => upstream.stop())

test('a passing test that asks less than was recorded fails and lists what it did not ask', () => {
  expect(run.exitCode).toBe(1)
  const [, report] = /FAIL .*asks less than before\n([^⎯]*)/.exec(run.output) ?? []
  expect(report).toContain('Not asked for: 1 of 2 recorded exchanges')
  expect(report).toContain('exchange-1 · gpt-5 · "Where to?"')
  expect(report).not.toContain('And when?')
  expect(report).toContain('drop what is not asked for, and send no request:')
  expect(report).toContain('record 1 call again')
  expect(report).toContain('npx vitest-cassette record plans.test.ts -t')
})

test('the free way drops what is not asked for, asks nobody, and leaves the rest as it was', async () => {
  const own = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const [command] = /npx vitest-cassette record --new plans\.test\.ts .*/.exec(run.output)!
  const cassette = own.cassette('asks-less')
  const before = own.read(cassette)
  const count = await upstream.count()
  const dropped = await own.shell(command)
  expect(dropped.exitCode, dropped.output).toBe(0)
  expect(dropped.output).toContain(
    'Dropped 1 of 2 recorded exchanges of "plans.test.ts > asks less',
  )
  expect(dropped.output).toContain('  exchange-1 · gpt-5 · "Where to?"')
  expect(await upstream.count()).toBe(count)
  const after = own.read(cassette)
  expect(after).not.toContain('Where to?')
  const [, recorded] = /"timestamp": ("[^"]*")/.exec(before)!
  expect(after).toContain(`"oldest_answer": ${recorded}`)
  const again = await own.shell(command.replace('vitest-cassette record --new', 'vitest run'))
  expect(again.exitCode, again.output).toBe(0)
})

test('a test that asks no model any more is told to delete its cassette', () => {
  const [, report] = /FAIL .*asks no more\n([^⎯]*)/.exec(run.output) ?? []
  expect(report).toContain('Not asked for: 1 of 1 recorded exchanges')
  expect(report).toContain(`rm ${project.cassette('asks-no-more')}`)
})

test('a test that fails anyway hears nothing of unused exchanges, nor does the summary', () => {
  const [, report] = /FAIL .*fails after its first question\n([^⎯]*)/.exec(run.output) ?? []
  expect(report).toContain("AssertionError: expected 'Odd: How much?' to be 'Odd: nothing'")
  expect(report).not.toContain('not asked for')
  expect(run.output).toContain('3 failed | 1 passed')
  expect(run.output).toContain('3 replayed | 2 unused')
})

test("with the option unused: 'warn' they only warn", async () => {
  const warned = await project.run(['plans'], { OPTIONS: '{"unused":"warn"}' })
  expect(warned.exitCode, warned.output).toBe(0)
  expect(warned.output).toContain('Not asked for: 1 of 2 recorded exchanges')
  expect(warned.output).toContain('exchange-1 · gpt-5 · "Where to?"')
  expect(warned.output).toContain('Not asked for: 1 of 1 recorded exchanges')
})

test.each([
  ['skip', ['skips'], { SKIPS: '1' }],
  ['-t', ['-t', 'asks as ever'], {}],
])('%s accuses nobody and deletes nothing', async (_, args, env) => {
  const filtered = await project.run(args, env)
  expect(filtered.exitCode, filtered.output).toBe(0)
  expect(filtered.output).not.toMatch(/\d unused/)
  expect(filtered.output).not.toContain('not asked for')
  expect(project.files()).toEqual(cassettes)
})

test('.only accuses nobody and deletes nothing', async () => {
  const only = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  only.edit('plans.test.ts', "test('asks what", "test.only('asks what")
  const filtered = await only.run(['plans'])
  expect(filtered.exitCode, filtered.output).toBe(0)
  expect(filtered.output).not.toMatch(/\d unused/)
  expect(only.files()).toEqual(cassettes)
})

test('recording with skips and -t changes no other cassette and drops no exchange', async () => {
  const contents = (): string[] => cassettes.map((file) => project.read(`__recordings__/${file}`))
  const before = contents()
  const count = await upstream.count()
  const skipped = await project.record(['skips'], { SKIPS: '1' })
  const filtered = await project.record(['-t', 'asks as ever'])
  expect(skipped.exitCode, skipped.output).toBe(0)
  expect(filtered.exitCode, filtered.output).toBe(0)
  expect(await upstream.count()).toBe(count + 3)
  expect(contents()).toEqual(before)
  expect(project.files()).toEqual(cassettes)
})
