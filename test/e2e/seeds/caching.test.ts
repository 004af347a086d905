// What the description of caches of conversations lists, in its words, on real runs of one agent. Each kind of
// a speaker's result is in `test/features/ask-speakers.test.ts`, each setting in `test/config/parse-options.test.ts`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshot } from '../../engine/screens.ts'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run
let replay: Run

const ACTS = ['-t', '^acts$']

/** What `list --json` says of a cassette. */
interface Listed {
  name: string
  conversation_id: string
  timestamp: string
  goal: string
  runs?: {
    attempts: number
    failures: number
    lastUsed: string
    lastFailures?: { reason: string }[]
  }
  valid: boolean
  invalid: string[]
  pictures: { file: string; phash: string; ahash: string }[]
}

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('caching', { UPSTREAM_URL: upstream.url })
  const write = async (name: string, screen: Parameters<typeof screenshot>[0]): Promise<void> =>
    writeFileSync(join(project.dir, `${name}.png`), Buffer.from(await screenshot(screen), 'base64'))
  await write('plain', {})
  await write('moved', { shift: 1 })
  await write('none', { button: 'none' })
  recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  replay = await project.run()
})

afterAll(() => upstream.stop())

/** A copy whose last run passed, whatever the other tests did with theirs. */
async function freshCopy(): Promise<VitestProject> {
  const own = new VitestProject(project.dir, { UPSTREAM_URL: upstream.url })
  const passing = await own.run(ACTS)
  expect(passing.exitCode, passing.output).toBe(0)
  return own
}

async function cli(words: string, own: VitestProject = project): Promise<string> {
  const { output } = await own.cli(words)
  return output
}

async function listed(own: VitestProject): Promise<Listed> {
  const [told] = JSON.parse(await cli('show acts --json', own)) as Listed[]
  return told!
}

test('Cache recording and playback round-trip; cache reuse across sessions', () => {
  expect(recording.output).toContain('3 recorded')
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toContain('3 replayed')
})

test('Speaker switching during execution: a verdict says who answered, and the cassette has none of it', () => {
  expect(replay.output).toContain('3 replayed | 1 by guide')
  expect(project.read(project.cassette('switches'))).not.toContain('Nothing more.')
})

test('Visual validation during cache execution: opt-out, with phash, region 100 and threshold 20', async () => {
  const moved = await project.run(ACTS, { SCREEN: 'moved' })
  expect(moved.exitCode, moved.output).toBe(0)
  expect(moved.output).toMatch(/Pictures {2}1 alike, \d+ of 64 bits/)
  const none = await project.run(ACTS, { SCREEN: 'none' })
  expect(none.exitCode).toBe(1)
  expect(none.output).toMatch(/picture +\S+, phash [\da-f]{16}\n +asked +\S+, phash [\da-f]{16}/)
})

test('skip_visual_validation: every screen passes, and the run says so', async () => {
  const SETTINGS = JSON.stringify({ executionSettings: { skipVisualValidation: true } })
  const none = await project.run(ACTS, { SCREEN: 'none', SETTINGS })
  expect(none.exitCode, none.output).toBe(0)
  expect(none.output).toMatch(/Pictures {2}1 changed, /)
})

test('Parameter substitution in cached trajectories', async () => {
  const other = await project.run(ACTS, { CUSTOMER: 'Grace Hopper' })
  expect(other.exitCode, other.output).toBe(0)
  expect(project.read(project.cassette('acts'))).toContain('Order a lamp for {{customer}}.')
})

test('strategy: read | write | both | no', async () => {
  const strategies = { read: /2 replayed/, both: /2 replayed/, write: /2 missed|ECONNREFUSED/ }
  for (const [strategy, said] of Object.entries(strategies)) {
    const run = await project.run(ACTS, { SETTINGS: JSON.stringify({ strategy }) })
    expect(run.exitCode, run.output).toBe(strategy === 'write' ? 1 : 0)
    expect(run.output, strategy).toMatch(said)
  }
  const off = await project.run(ACTS, { SETTINGS: JSON.stringify({ strategy: 'no' }) })
  expect(off.output).not.toContain('replayed')
})

test('CacheMetadata: goal, created_at, last_executed_at, execution_attempts, failures, token_usage, visual_validation', async () => {
  const own = await freshCopy()
  const before = (await listed(own)).runs!.attempts
  await own.run(ACTS, { FAILS: '1' })
  const told = await listed(own)
  expect(told).toMatchObject({ goal: 'Order a lamp for {{customer}}.', valid: true, invalid: [] })
  expect(told.runs!.attempts).toBe(before + 1)
  expect(told.runs!.lastFailures!.at(-1)!.reason).toContain("expected '1' to be undefined")
  for (const time of [told.timestamp, told.runs!.lastUsed])
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(600_000)
  expect(told.pictures).toMatchObject([{ phash: expect.stringMatching(/^[\da-f]{16}$/) }])
  const { total } = JSON.parse(await cli('show acts --stats --json'))
  expect(total).toMatchObject({ exchanges: 2, outputTokens: expect.any(Number) })
})

test('Validation strategies (stale, failure count, etc.): is_valid and invalidation_reason', async () => {
  const own = await freshCopy()
  const runs: Run[] = []
  for (let count = 0; count < 3; count++) runs.push(await own.run(ACTS, { FAILS: '1' }))
  expect(runs[1]!.output).not.toContain('Failing')
  expect(runs[2]!.output).toMatch(/Invalid {2}1 cassette is no longer valid/)
  const told = await listed(own)
  expect(told.valid).toBe(false)
  expect(told.invalid).toEqual([expect.stringMatching(/^failures: \d /)])
  expect(await cli('show acts', own)).toMatch(/invalid +failures: \d failures in a row/)
})
