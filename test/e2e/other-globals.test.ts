import { beforeAll, expect, test } from 'vitest'
import { recordAndReplay } from './record-and-replay.ts'
import type { Run, VitestProject } from './vitest-project.ts'

let project: VitestProject
let recording: Run
let replay: Run

beforeAll(
  async () => void ({ project, recording, replay } = await recordAndReplay('other-globals')),
  300_000,
)

test('a world with other globals is recorded and replayed', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toMatch(/\d+ replayed$/m)
})

test('each client gets the same in both runs', () => {
  const files = project.files('recorded')
  expect(files.length).toBeGreaterThan(40)
  for (const file of files)
    expect({ [file]: project.read(`replayed/${file}`) }).toEqual({
      [file]: project.read(`recorded/${file}`),
    })
})

test('a changed prompt fails in each of them, and none waits for its timeout', async () => {
  const { tests, output } = await project.runTests(['asks'], { MORE: 'more', RESULTS: 'changed' })
  expect(tests.filter(({ status }) => status === 'passed')).toEqual([])
  expect(output).not.toMatch(/timed out/)
  for (const { title, failureMessages } of tests)
    expect({ [title]: failureMessages.join('\n') }).toEqual({
      [title]: expect.stringContaining('The prompt changed'),
    })
})

test('a provider that cannot be reached fails each client at once', async () => {
  const { tests, output } = await project.runTests(['asks'], {
    RECORD: 'all',
    ODD_URL: 'http://127.0.0.1:1',
    RESULTS: 'unreachable',
  })
  expect(tests.filter(({ status }) => status === 'passed')).toEqual([])
  expect(tests.length).toBeGreaterThan(50)
  expect(output).not.toMatch(/timed out/)
})
