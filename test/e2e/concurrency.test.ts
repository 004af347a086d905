import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('../lab/scenarios/concurrency', { UPSTREAM_URL: upstream.oddUrl })
  recording = await project.record()
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('tests that run at once have a cassette each, with their own questions in it', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  const questions = questionsIn('cities.test.ts/')
  expect(Object.keys(questions)).toHaveLength(6)
  for (const city of ['Rome', 'Oslo', 'Lima']) {
    expect(questions[`cities.test.ts > concurrent tests > visits ${city}`]).toEqual([
      `Where is ${city}?`,
      'uneven 0',
      `And how is ${city}?`,
    ])
    expect(questions[`cities.test.ts > concurrent suites > ${city} > is seen`]).toEqual([
      `What is in ${city}?`,
      'uneven 1',
    ])
  }
})

test('one title in two files is two cassettes', () => {
  expect(questionsIn('bar.test.ts/')).toEqual({ 'bar.test.ts > orders': ['A beer, please'] })
})

test('one title twice in a file is two cassettes', () => {
  expect(questionsIn('cafe.test.ts/')).toEqual({
    'cafe.test.ts > orders': ['A coffee, please'],
    'cafe.test.ts > orders #2': ['A tea, please'],
  })
})

test.each([
  ['as they were recorded', []],
  ['shuffled', ['--sequence.shuffle']],
  ['all at once', ['--sequence.concurrent']],
])('every test gets its own answers, %s', async (_, args) => {
  const run = await project.run(args)
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('18 replayed')
})

/** The questions in each cassette of a folder, by the test it belongs to. */
function questionsIn(folder: string): Record<string, string[]> {
  const files = project.files().filter((file) => file.startsWith(folder))
  return Object.fromEntries(
    files.map((file) => {
      const { conversation_id: id } = project.json(`__recordings__/${file}`)
      return [id, project.prompts(file)]
    }),
  )
}
