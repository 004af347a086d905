import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { VitestProject, type Run } from '../vitest-project.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// Its cassettes are committed: nothing is started here that could answer.
let project: VitestProject
let replay: Run

beforeAll(async () => {
  project = new VitestProject(join(root, 'examples/answer-agent'))
  // As npm does for a workspace; Vitest follows the link, and leaves node_modules.
  mkdirSync(join(project.dir, 'node_modules'), { recursive: true })
  symlinkSync(root, join(project.dir, 'node_modules/vitest-cassette'))
  replay = await project.run([], { CI: '1' })
})

test('the answer agent passes its tests offline, with chat ids of another run and a package that is linked', () => {
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toMatch(
    /Exchanges {2}33 replayed\n {3}Volatile {2}chat-id .* 30 requests of 10 tests, at \$\.prompt_cache_key\n {6}Saved {2}33 calls, 1,\d+ tokens, /,
  )
})

test('every test in which the agent asks fails when its instructions change', async () => {
  project.edit('src/answer-agent.ts', 'in one sentence', 'in two sentences')
  const run = await project.run()
  project.edit('src/answer-agent.ts', 'in two sentences', 'in one sentence')
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/Tests {2}12 failed \| 16 passed/)
  expect(run.output).toContain('in {+two sentences+}.')
})

test('chats may have other ids than in the recording, but two chats not one', async () => {
  project.edit(
    'src/answer-agent.ts',
    'prompt_cache_key: chatId',
    "prompt_cache_key: 'chat-1795291136094-b584c36d1'",
  )
  const run = await project.run(['-t', 'a new chat|two chats'])
  expect(run.output).toMatch(/Tests {2}1 failed \| 1 passed/)
  expect(run.output).toContain('FAIL  test/answer-agent.test.ts > two chats at a time')
  expect(run.output).toMatch(/"kind":"other","headline":"[^:]*: \\"1795291136094-b584c36d1\\"/)
})

test('the README shows what the cassette holds', async () => {
  const { output } = await project.shell(
    'node node_modules/vitest-cassette/dist/cli.mjs show from-the-seventh',
  )
  const [, shown] = /```\n([^]+)\n```/.exec(project.read('README.md'))!
  for (const part of shown!.split('\n\n[…]\n\n')) expect(output).toContain(part)
})
