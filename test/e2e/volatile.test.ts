import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let run: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('volatile', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  run = await project.run([], { CHANGED: '1' })
})

afterAll(() => upstream.stop())

test('with the recorded values nothing is another than without rules', async () => {
  const same = await project.run()
  expect(same.exitCode, same.output).toBe(0)
})

test('declared values may differ, and come back in the answer, plain, streamed and sent back', () => {
  for (const title of ['plain', 'streamed', 'turns']) expect(run.output).toContain(`✓ ${title}: `)
  expect(run.output).toMatch(/Tests {2}3 failed \| 3 passed/)
})

test('values that change places between two requests fail the test', () => {
  expect(failureIn(run, 'volatile.test.ts > swapped: ')).toContain(
    'A volatile value changed within the test',
  )
})

test('a word beside them fails the test, and is all that the diff shows', () => {
  const block = failureIn(run, 'volatile.test.ts > word: ')
  expect(block).toContain('[-brief-]')
  expect(block).toContain('{+kind+}')
  expect(block).not.toContain('November')
  expect(block).not.toContain('volatile: [')
})

test('a miss in which only values of a known kind differ prints the line that settles it', () => {
  const block = failureIn(run, 'volatile.test.ts > folder: ')
  expect(block).toContain('The prompt changed only in values that vary between runs (tmp-path)')
  expect(block).toContain('"/tmp/agent-a1" → "/tmp/agent-b2"  tmp-path')
  expect(block).toContain(
    "volatile: ['uuid', 'date-phrase', '$.metadata.run', /req-\\d+/g, 'tmp-path']",
  )
})

test.for(['threads', 'vmThreads', 'vmForks'])('rules travel to the pool %s', async (pool) => {
  const other = await project.run(['--pool', pool, '-t', 'plain|streamed'], { CHANGED: '1' })
  expect(other.exitCode, other.output).toBe(0)
})
