import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

let upstream: Upstream
let project: VitestProject
let recorded: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('benchmarks', { UPSTREAM_URL: upstream.oddUrl })
  recorded = await bench('', { RECORD: '1' })
})

afterAll(() => upstream.stop())

function bench(
  args = '',
  environment: Record<string, string> = {},
  of: VitestProject = project,
): Promise<Run> {
  return of.shell(`node ${VITEST} bench --run ${args} 2>&1`, environment)
}

test('a recording runs each benchmark once, and pays for no more', async () => {
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(recorded.output).toContain('4 recorded')
  expect(await upstream.count()).toBe(4)
})

test('in replay, each iteration gets what was recorded', async () => {
  const { exitCode, output } = await bench()
  expect(exitCode, output).toBe(0)
  expect(Number(/(\d+) replayed/.exec(output)?.[1])).toBeGreaterThan(100)
  expect(await upstream.count()).toBe(4)
})

test('a changed prompt fails, and its command records the benchmark', async () => {
  // The other tests count what was asked, and replay what they recorded, in any order.
  const own = await startUpstream()
  onTestFinished(() => own.stop())
  const other = new VitestProject('benchmarks', { UPSTREAM_URL: own.oddUrl })
  const changed = { WORD: 'three' }
  expect((await bench('', { RECORD: '1' }, other)).exitCode).toBe(0)
  const { exitCode, output } = await bench('', changed, other)
  expect(exitCode).toBe(1)
  expect(output).toContain('message 1 (user): text edited ("two" → "three")')
  const [, args] = /RECORD=1 npx vitest bench --run (.*)$/m.exec(output) ?? []
  expect(output).not.toContain('vitest-cassette record')
  const again = await bench(args, { ...changed, RECORD: '1' }, other)
  expect(again.exitCode, again.output).toBe(0)
  expect(again.output).toContain('2 recorded')
  expect((await bench('', changed, other)).exitCode).toBe(0)
})
