import { startedBy } from '../../src/config/environment.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { needs } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run
let replay: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('retries', { UPSTREAM_URL: upstream.oddUrl })
  recording = await project.record(['attempts'])
  await upstream.stop()
  replay = await project.run(['attempts', '--reporter=verbose'])
})

afterAll(() => upstream.stop())

test('of a test that is tried again, the attempt that passes is saved and no other', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(textsOf('passes-at-the-third')).toEqual([
    ['numbered retry', 'Odd: numbered retry (3)'],
    ['Is it well?', 'Odd: Is it well?'],
  ])
})

test('every attempt replays from the beginning', () => {
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output.match(/attempt: .*/g)).toEqual(
    Array.from({ length: 3 }, () => 'attempt: Odd: numbered retry (3).'),
  )
})

test('what an attempt did that was tried again is told by none', async () => {
  expect(recording.output).not.toContain('[vitest-cassette]')
  expect(recording.output).not.toContain('is kept in')
  const edited = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  edited.edit('attempts.test.ts', "'Is it well?'", "attempts++ < 1 ? 'Is it good?' : 'Is it well?'")
  const run = await edited.run(['attempts', '-t', 'third'], startedBy('doctor', edited.dir))
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).not.toMatch(/prompt changed|Cassette\w*Error|\[vitest-cassette\]/)
  expect(run.output).toContain('2 replayed')
  expect(edited.read('lines.jsonl')).not.toContain('"kind":"diagnosis"')
})

test('every repetition is a recording of its own, and replays from the beginning', () => {
  expect(textsOf('runs-three-times').map(([, answer]) => answer)).toEqual([
    'Odd: numbered repeat (5)',
    'Odd: numbered repeat (6)',
  ])
  expect(replay.output.match(/repeat: .*/g)).toEqual(
    Array.from({ length: 3 }, () => 'repeat: Odd: numbered repeat (5) Odd: numbered repeat (6).'),
  )
})

test('the summary names a test that Vitest repeats, with the paid answers of its runs that are not kept', () => {
  expect(recording.output).toMatch(/Repeated +4 paid answers were not kept/)
  expect(recording.output).toMatch(
    /attempts\.test\.ts > runs three times: 3 runs, 4 answers not kept/,
  )
  expect(replay.output).toMatch(
    /Repeated .*all runs get the same answers\n.*runs three times: 3 runs\n/,
  )
})

test(
  'errors that a retry overcame are in no cassette, as if the provider had not failed',
  needs('clients'),
  async () => {
    const provider = await startUpstream()
    const env = { UPSTREAM_URL: provider.oddUrl }
    const limited = new VitestProject('retries', env)
    linkClients(limited)
    const first = await limited.record(['overcome'])
    expect(first.exitCode, first.output).toBe(0)
    expect(first.output).toMatch(/Exchanges +16 recorded\n/)
    expect(first.output).toMatch(/Retried +13 errors, .* recordErrors: true/)
    // The provider fails once for each text, so that it is well now.
    const healthy = new VitestProject('retries', env)
    linkClients(healthy)
    await healthy.record(['overcome'])
    expect(undated(limited)).toEqual(undated(healthy))
    const again = await limited.record(['overcome'])
    expect(again.output).not.toContain('Retried')
    await provider.stop()
    const replayed = await limited.run(['overcome'])
    expect(replayed.exitCode, replayed.output).toBe(0)
    expect(replayed.output).toMatch(/Exchanges +16 replayed\n/)
  },
)

test('they are kept where a test asks for it, and replay', async () => {
  const provider = await startUpstream()
  const OPTIONS = '{"recordErrors":true}'
  const kept = new VitestProject('retries', { UPSTREAM_URL: provider.oddUrl, OPTIONS })
  await kept.record(['attempts', '-t', 'full'])
  const statuses = kept.exchanges('overcomes-a-full').map(({ wire }) => wire.response.status)
  expect(statuses).toEqual([429, 200])
  const stored = kept.exchanges('overcomes-a-full')
  for (const options of [OPTIONS, '{}']) {
    const run = await kept.run(['attempts', '-t', 'full'], { OPTIONS: options })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toMatch(/Exchanges +2 replayed\n/)
  }
  // A cassette of an earlier time keeps its answer, and loses the error.
  await kept.record(['attempts', '-t', 'full'], { OPTIONS: '{}' })
  await provider.stop()
  expect(kept.exchanges('overcomes-a-full')).toMatchObject([
    { response: stored[1].response, wire: { response: stored[1].wire.response } },
  ])
})

test('a miss fails the test at its last attempt too, and where a failure is expected', async () => {
  const edited = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  edited.edit('attempts.test.ts', 'What fails?', 'What breaks?')
  edited.edit('attempts.test.ts', 'Is it well?', 'Is it good?')
  const run = await edited.run(['attempts'])
  expect(run.exitCode).toBe(1)
  // Vitest before 4.1 shows what fails a test that is expected to fail as a failure of its file.
  expect(run.output).toMatch(/2 failed|Failed Suites 1/)
  expect(run.output).toMatch(
    /FAIL .*(expects the wrong answer|attempts\.test\.ts \[.*)\nCassetteError: The prompt changed/,
  )
  expect(run.output).toMatch(
    /FAIL .*passes at the third attempt.*\nCassetteError: The prompt changed/,
  )
})

test('a recording that ends in an error of the provider fails, and is parked', async () => {
  const provider = await startUpstream()
  const errors = new VitestProject('retries', { UPSTREAM_URL: provider.oddUrl })
  await errors.record(['errors'], { HEALTHY: '1' })
  const before = errors.contents()
  const failed = await errors.record(['errors'])

  expect(failed.exitCode).toBe(1)
  expect(failed.output).toContain('6 failed')
  for (const status of [401, 403, 429, 500, 503]) {
    expect(failed.output).toContain(`answered ${status}, which is not saved as its last word`)
    const file = errors.cassette(`survives-${status}`)
    expect(errors.read(file)).toBe(before[file.replace('__recordings__/', '')])
    const [parked] = new RegExp(`node_modules/\\S*survives-${status}\\S*\\.json`).exec(
      failed.output,
    )!
    expect(errors.read(parked)).toContain(`asked for ${status}`)
  }
  expect(failed.output).toContain('set the option recordErrors: true')
  // Without the error, nothing is left of it.
  expect(failed.output).not.toContain('npx vitest-cassette recover')
  expect(failed.output).toContain('answered 404, which is not saved in the place of a good answer')

  const OPTIONS = '{"recordErrors":true}'
  const saved = await errors.record(['errors'], { OPTIONS })
  expect(saved.exitCode, saved.output).toBe(0)
  expect(errors.read(errors.cassette('survives-404'))).toContain('asked for 404')
  await provider.stop()
  const replayed = await errors.run(['errors'], { OPTIONS })
  expect(replayed.exitCode, replayed.output).toBe(0)
})

/** The question and the answer of each exchange. */
function textsOf(slug: string): Array<[string, string]> {
  return project.exchanges(slug).map(({ prompt, response }) => [prompt.text, response.text])
}

/** The cassettes of a project without dates and durations. */
function undated(of: VitestProject): Record<string, string> {
  const dates = /"(?:timestamp|duration_ms|file_hash)": [^\n]+/g
  return Object.fromEntries(
    Object.entries(of.contents()).map(([file, text]) => [file, text.replace(dates, '')]),
  )
}
