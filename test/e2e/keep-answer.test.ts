import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type TestsRun } from './vitest-project.ts'

const COMMA = { SYSTEM: 'You are brief, and kind.' }

let upstream: Upstream
let runs: Record<'kept' | 'again' | 'anew', TestsRun>
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('../lab/scenarios/keep-answer', { UPSTREAM_URL: upstream.url })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  const kept = await project.runTests([], { ...COMMA, RECORD: 'prompts' })
  const again = await project.runTests([], COMMA)
  upstream = await startUpstream()
  const env = { ...COMMA, UPSTREAM_URL: upstream.url, RECORD: '1' }
  runs = { kept, again, anew: await project.runTests([], env) }
})

afterAll(() => upstream.stop())

test('answers that were kept for a changed prompt replay in the next run, and are kept no second time', () => {
  expect(totals(runs.kept)).toMatchObject({ kept: 4 })
  expect(runs.again.exitCode, runs.again.output).toBe(0)
  expect(totals(runs.again)).toMatchObject({ replayed: 4, kept: 0, recorded: 0 })
})

test('verify finds no kept answer once it is recorded anew', async () => {
  expect(runs.anew.exitCode, runs.anew.output).toBe(0)
  expect(Object.values(project.contents()).join()).not.toContain('"kept"')
  expect(await project.findings()).toEqual([])
})

/** What became of the requests of all tests. */
function totals({ tests }: TestsRun): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { meta } of tests as Array<{ meta?: { cassette?: Record<string, unknown> } }>)
    for (const [name, count] of Object.entries(meta?.cassette ?? {}))
      if (typeof count === 'number') sums[name] = (sums[name] ?? 0) + count
  return sums
}
