import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { cassettePath, conversationId } from '../../../src/cassette/paths.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PLACE = { file: 'agent.test.ts', titles: ['asks'], ordinal: 0 }
const TITLE = conversationId(PLACE)
const PATH = cassettePath(PLACE)
const FILE = `__recordings__/${PATH}`
const VERSION = { 'anthropic-version': '2023-06-01' }
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n' + 'a picture'.repeat(900), 'latin1').toString(
  'base64',
)

function record(...headers: Array<Record<string, string> | undefined>): Cassette {
  const turns = headers.map((some, index) => ({
    incoming: readIncoming({
      method: 'POST',
      url: 'https://api.anthropic.com/v1/messages',
      ...(some ? { headers: some } : {}),
      body: readText(
        JSON.stringify({
          model: 'claude-sonnet-5',
          messages: [{ role: 'user', content: `Question ${index + 1}` }],
          metadata: { picture: PICTURE },
        }),
      ),
    }),
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readText('{"type":"message","content":[{"type":"text","text":"Here."}]}'),
    },
  }))
  const timestamp = '2026-01-01T00:00:00.000Z'
  return { conversationId: TITLE, timestamp, exchanges: describeTurns(turns) }
}

async function openProject(cassette: Cassette): Promise<CliProject> {
  const project = new CliProject()
  writeFileSync(join(project.root, 'agent.test.ts'), '')
  await project.save(PATH, cassette)
  return project
}

function textOf(project: CliProject, file = FILE): string {
  return readFileSync(join(project.root, file), 'utf8')
}

function edit(project: CliProject, change: (text: string) => string): void {
  const before = textOf(project)
  const text = change(before)
  expect(text).not.toBe(before)
  writeFileSync(join(project.root, FILE), text)
}

/** Takes the headers out, as a person or another program would. */
function strip(text: string): string {
  return text.replaceAll(/"headers": \{ "anthropic-version": "[^"]+" \},\s*/g, '')
}

function load(project: CliProject): Cassette {
  return new CassetteStore(project.root, '__recordings__', 1e9).load(PATH)!
}

const marksIn = (project: CliProject): unknown[] =>
  load(project).exchanges.map(({ wire }) => wire!.request.older)

test.for<[what: string, edit: (text: string) => string]>([
  ['stripped of its headers', strip],
  [
    'stripped of headers and hashes',
    (text) => {
      const {
        hashes: _,
        file_hash: __,
        ...rest
      } = JSON.parse(strip(text)) as Record<string, unknown>
      return JSON.stringify(rest)
    },
  ],
  [
    'whose headers are empty',
    (text) => text.replaceAll(/\{ "anthropic-version": "[^"]+" \}/g, '{}'),
  ],
])('older marks a recording %s, says so, and verify passes', async ([, change]) => {
  using project = await openProject(record(VERSION, VERSION))
  edit(project, change)
  expect((await project.run('verify')).code).toBe(1)
  const { code, out, problems } = await project.run('older', FILE)
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  expect(out).toContain(`${FILE}\n  ${TITLE}: exchange-1, exchange-2\n`)
  await expectGolden(out, 'marked')
  expect(marksIn(project)).toEqual(['headers', 'headers'])
  const verified = JSON.parse((await project.run('verify', '--json')).out) as object
  expect(verified).toMatchObject({ cassettes: 1, findings: [] })
})

test('older changes nothing in a recording that is marked', async () => {
  using project = await openProject(record(undefined))
  await project.run('older', 'agent')
  const [text, time] = [textOf(project), statSync(join(project.root, FILE)).mtimeMs]
  const { code, out, problems } = await project.run('older', 'agent')
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  await expectGolden(out, 'marked-already')
  expect(textOf(project)).toBe(text)
  expect(statSync(join(project.root, FILE)).mtimeMs).toBe(time)
})

test('what has headers recorded is not older', async () => {
  using project = await openProject(record(VERSION, VERSION))
  const before = textOf(project)
  const { code, out, problems } = await project.run('older', 'agent')
  expect(code).toBe(1)
  expect(problems).toContain('exchange-1, exchange-2')
  await expectGolden(problems + out, 'with-headers')
  expect(textOf(project)).toBe(before)
})

test('of a recording with both, those without headers are marked', async () => {
  using project = await openProject(record(undefined, VERSION))
  const { out } = await project.run('older', 'agent')
  expect(out).toMatch(/: exchange-1;.* exchange-2 /)
  await expectGolden(out, 'with-both')
  expect(marksIn(project)).toEqual(['headers', undefined])
  expect((await project.run('verify')).code).toBe(0)
})

test.for<[what: string, edit: (text: string) => string]>([
  ['the prompt of exchange-2', (text) => text.replaceAll('Question 2', 'Question 3')],
  ['the answer of exchange-1', (text) => text.replace(/Here\./g, 'There.')],
  ['the head', (text) => text.replace('2026-01-01T', '2027-01-01T')],
])('an edit of %s is not hidden by new hashes', async ([what, change]) => {
  using project = await openProject(record(undefined, VERSION))
  edit(project, change)
  const before = textOf(project)
  const { code, problems } = await project.run('older', 'agent')
  expect(code).toBe(1)
  expect(problems).toContain(`${FILE}: ${what} `)
  expect(problems).toContain(`\n  npx vitest-cassette verify ${FILE}`)
  expect(textOf(project)).toBe(before)
})

test('an exchange that was taken out is not hidden by new hashes', async () => {
  using project = await openProject(record(undefined, undefined))
  edit(project, (text) => {
    const { exchanges, ...rest } = JSON.parse(text) as Cassette
    return JSON.stringify({ ...rest, exchanges: exchanges.slice(0, 1) })
  })
  const before = textOf(project)
  const { code, problems } = await project.run('older', 'agent')
  expect(code).toBe(1)
  await expectGolden(problems, 'edited')
  expect(textOf(project)).toBe(before)
})

test('a recording that is marked, and one without requests, stay as they are', async () => {
  const old = record(undefined)
  old.exchanges[0]!.wire!.request.older = 'headers'
  using project = await openProject({ ...old, exchanges: describeTurns(old.exchanges.map(asTurn)) })
  const { code, out } = await project.run('older', 'agent')
  expect(code).toBe(0)
  await expectGolden(out, 'marked-already')
  const written = { prompt: { text: 'Hello', metadata: {} }, response: { text: 'Hi' } }
  await project.save(PATH, { ...old, exchanges: [{ id: 'exchange-1', ...written }] })
  const { code: refused, problems } = await project.run('older', 'agent')
  expect(refused).toBe(1)
  await expectGolden(problems, 'no-request')
})

function asTurn({ wire }: Cassette['exchanges'][number]) {
  return { incoming: readIncoming(wire!.request), response: wire!.response! }
}

test('commands that mark cassettes find those of another folder by their path', async () => {
  using project = await openProject(record(undefined))
  const file = `fixtures/${PATH}`
  renameSync(join(project.root, '__recordings__'), join(project.root, 'fixtures'))
  const marked = await project.run('older', file)
  expect(marked).toMatchObject({ code: 0, problems: '' })
  expect(marked.out).toContain(`${file}\n  ${TITLE}: exchange-1\n`)
  const invalidated = await project.run('invalidate', file, '--reason', 'old')
  expect(invalidated.out).toContain(`${file}\n1 cassette `)
  const { code, out } = await project.run('verify', '--dir', 'fixtures')
  expect(code).toBe(0)
  expect(out).toMatch(/^1 cassette, .* 1 warning$/m)
})

test('no cassette, or none named, is no command line', async () => {
  using project = await openProject(record(undefined))
  expect(await project.run('older')).toMatchObject({ code: 2 })
  const timestamp = '2026-01-01T00:00:00.000Z'
  const entry = { index: 0, turn: 0, timestamp, role: 'user', content: 'Hi' }
  mkdirSync(dirname(join(project.root, 'talks/a.json')), { recursive: true })
  writeFileSync(join(project.root, 'talks/a.json'), JSON.stringify([entry]))
  for (const words of [['older'], ['invalidate', '--reason', 'old']]) {
    const { code, problems } = await project.run(...words, 'talks/a.json')
    expect({ code, problems }).toEqual({ code: 2, problems: 'talks/a.json is no cassette.\n' })
  }
})

test('diff shows which headers are unknown since', async () => {
  const { compareCassettes } = await import('../../../src/tools/compare/compare-cassettes.ts')
  using project = await openProject(record(undefined))
  const before = { text: textOf(project), cassette: load(project) }
  await project.run('older', 'agent')
  const after = { text: textOf(project), cassette: load(project) }
  const { changes } = compareCassettes({ name: FILE, before, after })
  expect(JSON.stringify(changes)).toContain('unknown headers')
})
