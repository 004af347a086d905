import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

function bench(args = '', environment: Record<string, string> = {}): Promise<Run> {
  return project.shell(`node ${VITEST} bench --run ${args} 2>&1`, environment)
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
  const changed = { WORD: 'three' }
  const { exitCode, output } = await bench('', changed)
  expect(exitCode).toBe(1)
  expect(output).toContain('message 1 (user): text edited ("two" → "three")')
  const [, args] = /RECORD=1 npx vitest bench --run (.*)$/m.exec(output) ?? []
  const again = await bench(args, { ...changed, RECORD: '1' })
  expect(again.exitCode, again.output).toBe(0)
  expect(again.output).toContain('2 recorded')
  expect((await bench('', changed)).exitCode).toBe(0)
})
