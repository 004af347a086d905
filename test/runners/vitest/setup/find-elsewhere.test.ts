import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import type { Attempt } from '../../../../src/attempt/attempt.ts'
import { CassetteReader } from '../../../../src/cassette/reader.ts'
import { cassettePath } from '../../../../src/cassette/paths.ts'
import { CassetteStore } from '../../../../src/cassette/store.ts'
import { findElsewhere } from '../../../../src/runners/vitest/setup/find-elsewhere.ts'
import { exampleCassette } from '../../../cassette/example-cassette.ts'
import { openExample, question, recorded } from '../../../engine/example-session.ts'

const TESTS = 20

/** A file of which each test has a cassette, and a session of each in which its prompt has changed. */
async function changedFile(hasCassettes: boolean): Promise<() => void> {
  const root = mkdtempSync(join(tmpdir(), 'cassette-beside-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const store = new CassetteStore(root, '__recordings__', 1e6)
  const file = { filepath: join(root, 'a.test.ts'), tasks: [] as RunnerTestCase[] }
  for (let at = 0; at < TESTS; at++) {
    const name = `test ${at}`
    file.tasks.push({ type: 'test', name, file } as unknown as RunnerTestCase)
    const titles = [hasCassettes ? name : `formerly ${name}`]
    const path = cassettePath({ file: 'a.test.ts', titles, ordinal: 0 })
    await store.save(path, exampleCassette({ messages: [] }))
  }
  return () => {
    for (const task of (file as unknown as RunnerTestFile).tasks) {
      const session = openExample(hasCassettes ? recorded([question('Hi'), 'Ho']) : undefined)
      session.answer(question('Hello'), { order: 0 })
      const attempt = { session, config: session.config } as unknown as Attempt
      findElsewhere(attempt, task as RunnerTestCase, root, session.misses[0]!.incoming.hash)
    }
  }
}

// One change in all of 1,282 tests of a file took two minutes, since each failure read all cassettes of the others.
test.each([
  ['whose prompts changed', true],
  ['that were renamed', false],
])('all tests of a file %s fail in linear time', async (_, hasCassettes) => {
  const failAll = await changedFile(hasCassettes)
  const load = vi.spyOn(CassetteReader.prototype, 'load')
  const list = vi.spyOn(CassetteReader.prototype, 'list')
  onTestFinished(() => void vi.restoreAllMocks())
  failAll()
  expect(load.mock.calls.length).toBeLessThanOrEqual(2 * TESTS)
  expect(list.mock.calls.length).toBeLessThanOrEqual(1)
})
