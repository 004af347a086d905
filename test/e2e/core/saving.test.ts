import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { failureIn, VitestProject } from '../vitest-project.ts'

const FILE = 'saving.test.ts'

let upstream: Upstream
let project: VitestProject
let before: Record<string, string>

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('saving', { UPSTREAM_URL: upstream.oddUrl })
  const { exitCode, output } = await project.record([FILE])
  expect(exitCode, output).toBe(0)
})

beforeEach(() => {
  before = project.snapshot()
})

afterAll(() => upstream.stop())

test('recording the same answers again touches no byte, and a new answer changes its file alone', async () => {
  expect(project.read(project.cassette('asks-the-same'))).toMatch(/"odd-[0-9a-f]{8}-/)
  const { exitCode, output } = await project.record([FILE])
  expect(exitCode, output).toBe(0)
  const after = project.snapshot()
  const changed = Object.keys(after).filter((file) => after[file] !== before[file])
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(changed).toEqual([expect.stringContaining('fails-when-it-is-told-to')])
})

test('RECORD=all-bytes writes what says the same too', async () => {
  const { exitCode, output } = await project.run([FILE], { RECORD: 'all-bytes' })
  expect(exitCode, output).toBe(0)
  const after = project.snapshot()
  const changed = Object.keys(after).filter((file) => after[file] !== before[file])
  expect(changed).toHaveLength(2)
})

test('a failing test leaves its cassette alone and keeps the new answers outside git', async () => {
  const { exitCode, output } = await project.record([FILE], { FAIL: '1' })
  expect(exitCode).toBe(1)
  expect(project.snapshot()).toEqual(before)
  const [parked] = /node_modules\/\.cache\/vitest-cassette\/parked\/\S+\.json/.exec(output) ?? []
  expect(parked, output).toBeDefined()
  const kept = answerNumber(project.cassette('fails-when-it-is-told-to'))
  expect(answerNumber(parked!)).toBeGreaterThan(kept)
})

test('a provider that cannot be reached leaves the cassette alone, and the failure says both', async () => {
  const run = await project.record([FILE], { UPSTREAM_URL: 'http://127.0.0.1:2' })
  expect(run.exitCode).toBe(1)
  expect(project.snapshot()).toEqual(before)
  await expectGolden(failureIn(run, `${FILE} > asks the same as ever\n`), 'unreachable')
  expect(run.output).toContain('"code":"recording-failed"')
  expect(run.output).not.toMatch(/\d recorded/)
  expect(run.output).not.toContain('no LLM call came')
})

/** The number that the upstream put behind an answer: it grows with every recording. */
function answerNumber(file: string): number {
  return Number(/Odd: numbered, .* \((\d+)\)/.exec(project.read(file))?.[1])
}
