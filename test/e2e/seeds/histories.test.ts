import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cassettePath } from '../../../src/cassette/paths.ts'
import { startUpstream } from '../../upstream/start-upstream.ts'
import { CONTEXT, HISTORY } from '../../histories/documents.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

let project: VitestProject
let saved: string
let imports: Record<string, Run>
let replay: Run

const keys = { OPENAI_API_KEY: 'sk-none', ANTHROPIC_API_KEY: 'sk-ant-none' }

beforeAll(async () => {
  project = new VitestProject('seeds', keys)
  saved = `__recordings__/${cassettePath({ file: 'frank.test.ts', titles: ['answers'], ordinal: 0 })}`
  mkdirSync(dirname(join(project.dir, saved)), { recursive: true })
  project.write(saved, HISTORY)
  project.write('talk.json', HISTORY)
  project.write('aya.json', CONTEXT)
  const run = (words: string): Promise<Run> => project.cli(words)
  imports = {
    history: await run("import talk.json --test 'frank.test.ts > answers another client'"),
    context: await run("import aya.json --test 'aya.test.ts > suggests'"),
  }
  replay = await project.run(['-t', '^(?!goes on live)'])
})

test('the example of the history file replays, saved as a cassette and imported, for two clients', () => {
  expect(imports.history!.output).toContain(
    'the hash "sha256-hash-of-prompt-for-verification" is none',
  )
  expect(imports.history!.exitCode).toBe(0)
  expect(replay.output).toContain('3 passed')
  expect(replay.exitCode, replay.output).toBe(0)
  expect(project.read(saved)).toBe(HISTORY)
})

test('the example of the context replays for an application that sends tools and names', () => {
  expect(imports.context!.exitCode, imports.context!.output).toBe(0)
  expect(replay.output).not.toContain('FAIL')
})

test('prompts that do not match fail, with the change and the command that settles it', async () => {
  const own = new VitestProject(project.dir, keys)
  const changed = await own.run(['-t', '^(?!goes on live)'], {
    FOLLOW_UP: 'Another prompt',
    TEMPERATURE: '0.7',
    SYSTEM: 'You are somebody else.',
  })
  expect(changed.output).toContain('3 failed')
  expect(changed.output).toMatch(/written +sha256-hash-of-prompt-for-verification "Follow-up/)
  expect(changed.output).toMatch(/or +sha256-[0-9a-f]{64}, /)
  expect(changed.output).toContain(`correct the text of exchange-2 in ${saved}`)
  expect(changed.output).toContain('correct the text and the hash of exchange-2 in ')
  expect(changed.output).toContain('somebody else')
  const warmer = await own.run(['frank'], { TEMPERATURE: '0.9' })
  expect(warmer.output).toContain('2 failed')
  expect(warmer.output).toContain('temperature')
  own.edit(saved, 'sha256-hash-of-prompt-for-verification', `sha256-${'0'.repeat(64)}`)
  const foreign = await own.run(['frank', '-t', '^answers$'])
  expect(foreign.output).toMatch(/written +sha256-0{64} /)
  expect(foreign.output).toContain(`npx vitest-cassette history import ${saved} --force`)
  const { output } = await own.cli(`history import ${saved} --force`)
  expect(output).toContain('"sha256-00000')
  expect((await own.run(['frank', '-t', '^answers$'])).output).toContain('1 passed')
})

test('a context that ends with a question is answered live, once, and replays from then on', async () => {
  const timestamp = '2026-01-01T00:00:00Z'
  const known = [
    { index: 0, turn: 0, timestamp, role: 'system', content: 'Be kind.' },
    { index: 1, turn: 0, timestamp, role: 'user', content: 'Hello?' },
    { index: 2, turn: 1, timestamp, role: 'assistant', content: 'Hi there.' },
  ]
  const asked = { index: 3, turn: 1, role: 'user', content: 'Who are you?' }
  const context = [...known, { ...asked, timestamp }]
  project.write('more.json', JSON.stringify(context))
  const imported = await project.cli("history import more.json --test 'aya.test.ts > goes on live'")
  expect(imported.exitCode, imported.output).toBe(0)
  const upstream = await startUpstream()
  const only = ['aya', '-t', '^goes on live$']
  const recording = await project.run(only, { RECORD: 'new', UPSTREAM_URL: upstream.url })
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  const replayed = await project.run(only, { UPSTREAM_URL: upstream.url })
  expect(replayed.exitCode, replayed.output).toBe(0)
  const shown = await project.cli('show goes-on-live --format context')
  const [json] = /^\[[^]*^\]/m.exec(shown.output)!
  expect(JSON.parse(json)).toMatchObject([
    ...known,
    asked,
    { index: 4, turn: 2, role: 'assistant', content: 'You said: Who are you?' },
  ])
})
