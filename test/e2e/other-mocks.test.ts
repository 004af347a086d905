import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

let project: VitestProject

beforeAll(() => {
  project = new VitestProject('other-mocks')
})

/** Test files in which others answer, and what is said of them. */
const ANSWERED = [
  ['msw', '1 call by MSW, not recorded'],
  ['stubs', '5 calls by a stub of fetch in stubs.test.ts, not recorded'],
  ['undici', '2 calls by MockAgent, not recorded'],
  ['nock-later', '1 call by nock, not recorded'],
] as const

test.each(ANSWERED)(
  'a recording in which %s answers for the provider says so, and stays green',
  async (file, said) => {
    for (const SETUP of ['plugin', 'import']) {
      const { exitCode, output } = await project.record([`${file}.test.ts`], { SETUP })
      expect(exitCode, output).toBe(0)
      expect(output).toMatch(/LLM calls? (?:was|were) answered or refused by others/)
      expect(output).toContain(`api.openai.com: ${said}`)
      expect(output).toMatch(/To record, let the calls through to the provider:\n +\S/)
      expect(project.files()).toEqual([])
    }
  },
)

test('a recording of what nock answers says so, and a client of node:http gets one answer', async () => {
  const own = new VitestProject('other-mocks')
  const { exitCode, output } = await own.record(['nock.test.ts'])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('api.openai.com: 2 calls by nock, recorded and marked as mocked')
  expect(output).toContain("nock.enableNetConnect('api.openai.com')")
  for (const file of own.files())
    expect(own.read(`__recordings__/${file}`)).toContain('"mocked": true')
  const verified = await own.cli('verify')
  expect(verified.exitCode, verified.output).toBe(0)
  expect(verified.output.match(/mocked-answers/g)).toHaveLength(2)
  const replayed = await own.run(['nock.test.ts'])
  expect(replayed.exitCode, replayed.output).toBe(0)
  expect(replayed.output).toContain('2 replayed')
})

test('what nock lets pass is recorded and replayed, from the first connection on', async () => {
  const upstream = await startUpstream()
  const own = new VitestProject('other-mocks', { UPSTREAM_URL: upstream.oddUrl })
  const recorded = await own.record(['nock-passes.test.ts'])
  await upstream.stop()
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(recorded.output).toContain('1 recorded')
  const { exitCode, output } = await own.run(['nock-passes.test.ts'])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('1 replayed')
})

test('so does the command, and counts all files together', async () => {
  const { exitCode, output } = await project.cli('record msw stubs undici')
  expect(exitCode, output).toBe(0)
  expect(output).toContain('Unrecorded  8 LLM calls were answered or refused by others')
})

test('a recording that nobody asks says what may be the reason', async () => {
  for (const file of ['module', 'other-hosts']) {
    const { exitCode, output } = await project.record([`${file}.test.ts`])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('Recorded  nothing: 1 test ran, and no LLM call came')
    expect(output).not.toContain('Unrecorded')
  }
})

test('in replay, they answer as before, without a word', async () => {
  const { exitCode, output } = await project.run(['msw', 'stubs', 'undici', 'module'])
  expect(exitCode, output).toBe(0)
  expect(output).not.toMatch(/Unrecorded|Recorded/)
})
