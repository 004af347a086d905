import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'
import { leftOutAs } from './left-out.ts'
import { CHAT, harEntry } from './samples.ts'

const KEY = ['sk', 'proj', 'aB3dE6gH9'.repeat(5)].join('-')

function entry(content: string, url: string = CHAT): object {
  return harEntry(url, content, `You said: ${content}`)
}

function har(name: string | undefined, ...entries: object[]): object {
  const named = name === undefined ? {} : { _recordingName: name }
  return { log: { version: '1.2', creator: { name: 'Polly.JS', version: '6' }, ...named, entries } }
}

function open(files: Record<string, unknown>): CliProject {
  const project = new CliProject()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project.root, name)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(project.root, name), text)
  }
  return project
}

/** What the command says in JSON. */
async function importedBy(project: CliProject, ...words: string[]) {
  const { code, out } = await project.run('import', ...words, '--json')
  return { code, ...JSON.parse(out) }
}

/** The notes on a plan, without the table above them and the sum below. */
const notesIn = (out: string): string => out.split('\n\n')[1]!.split('\n').slice(0, -2).join('\n')

/** What verify finds, in JSON. */
const findingsIn = async (project: CliProject): Promise<Array<{ problem: string }>> =>
  JSON.parse((await project.run('verify', '--json')).out).findings

const cassettesIn = (project: CliProject): string[] =>
  existsSync(join(project.root, '__recordings__'))
    ? readdirSync(join(project.root, '__recordings__'), {
        recursive: true,
        encoding: 'utf8',
      }).sort()
    : []

test('import tells what there is, and writes nothing until it is asked to', async () => {
  using project = open({
    'rec/a.har': har('suite/asks', entry('Hi'), entry('Again')),
    'rec/notes.md': '# Notes',
  })
  const { code, out, problems } = await project.run('import', 'rec', '--to', '__recordings__')
  expect([code, problems]).toEqual([0, ''])
  expect(out).toMatch(/rec\/a\.har \(suite\/asks\) +2 +__recordings__\/suite-asks\.json/)
  await expectGolden(out, 'plan')
  expect(await importedBy(project, 'rec', '--to', '__recordings__')).toMatchObject({
    code: 0,
    cassettes: [{ cassette: '__recordings__/suite-asks.json', exchanges: 2 }],
    unread: [{ file: 'rec/notes.md' }],
  })
  expect(cassettesIn(project)).toEqual([])

  const written = await project.run('import', 'rec', '--to', '__recordings__', '--write')
  expect([written.code, written.problems]).toEqual([0, ''])
  expect(cassettesIn(project)).toEqual(['suite-asks.json'])
  expect(await findingsIn(project)).toEqual([])
  expect((await project.run('show', 'a')).out).toContain('You said: Again')
})

test('a cassette of no test has the whole of its titles in its name, as other test runners look for it', async () => {
  const begins = 'Test OpenAI instrumentation/should set the attributes of each span'
  using project = open({
    'a.har': har(`${begins} for chat (streaming)`, entry('Hi')),
    'b.har': har(`${begins} for chat`, entry('Hi')),
    'c.har': har('Übergrößen/テスト', entry('Hi')),
    'd.har': har('é'.repeat(300), entry('Hi')),
  })
  const words = ['a.har', 'b.har', 'c.har', 'd.har', '--to', '__recordings__', '--write']
  expect((await project.run('import', ...words)).problems).toBe('')
  const slug = 'test-openai-instrumentation-should-set-the-attributes-of-each-span'
  expect(cassettesIn(project)).toEqual([
    `${slug}-for-chat-streaming.json`,
    `${slug}-for-chat.json`,
    `${'é'.repeat(90)}.json`,
    'übergrößen-テスト.json',
  ])
})

test('where a model of Hugging Face is served is a part of the call, and its tokenizer is not', async () => {
  const hub = 'https://huggingface.co'
  using project = open({
    'a.har': har(
      'asks',
      entry('Where?', `${hub}/api/models/acme/small?expand[]=inferenceProviderMapping`),
      entry('Hi', 'https://router.huggingface.co/v1/chat/completions'),
      entry('Words', `${hub}/acme/small/resolve/main/tokenizer.json`),
    ),
  })
  const {
    recordings: [recording],
    cassettes,
    hosts,
  } = await importedBy(project, 'a.har', '--to', '__recordings__')
  expect(recording).toMatchObject({ exchanges: 2 })
  expect([cassettes.length, hosts]).toEqual([1, []])
  expect(Object.values(recording.leftOut)).toEqual([1])
  await expectGolden(Object.keys(recording.leftOut).join('\n'), 'tokenizer')
})

test('the folders tell recordings of one name apart', async () => {
  using project = open({
    'all/groq/__cassettes__/v1.har': har(undefined, entry('groq')),
    'all/cohere/__cassettes__/v1.har': har(undefined, entry('cohere')),
    'all/cohere/__cassettes__/v2.har': har(undefined, entry('cohere')),
    'all/x/a.har': har('Suite/asks', entry('one')),
    'all/x/b.har': har('suite/Asks', entry('two')),
  })
  await project.run('import', 'all', '--to', '__recordings__', '--write')
  expect(cassettesIn(project)).toEqual([
    'cohere-v1.json',
    'groq-v1.json',
    'suite-asks-2.json',
    'suite-asks.json',
    'v2.json',
  ])
})

test('a terminal shows the ends of both names', async () => {
  using project = open({ 'rec/first-of-all.har': har(`${'suite/'.repeat(20)}asks`, entry('Hi')) })
  project.columns = 80
  const { out } = await project.run('import', 'rec', '--to', '__recordings__')
  expect(out).toMatch(/^….*suite\/asks\) +1 +….*-suite-asks\.json$/m)
  expect(
    Math.max(
      ...out
        .split('\n\n')[0]!
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBe(80)
})

test('verify and show name each exchange with an unknown prompt', async () => {
  const match = { userMessage: 'Hi' }
  const fixtures = [
    { match, response: { content: 'Hello.' } },
    { match, response: { content: 'Bye.' } },
  ]
  using project = open({ 'chat.json': { fixtures } })
  const words = ['chat.json', '--to', '__recordings__']
  expect((await importedBy(project, ...words)).cassettes).toMatchObject([
    { exchanges: 2, unasked: 2 },
  ])
  const { out } = await project.run('import', ...words)
  expect((await project.run('import', ...words, '--write')).code).toBe(0)
  expect((await project.run('verify')).code).toBe(0)
  const findings = await findingsIn(project)
  const finding = { check: 'imported', severity: 'warning' }
  expect(findings).toMatchObject([finding, finding])
  for (const { problem } of findings) expect(problem).toContain('aimock')
  const shown = (await project.run('show', '--full')).out.match(/^imported .*$/gm)
  expect(shown).toEqual([
    expect.stringContaining(' exchange-1: '),
    expect.stringContaining(' exchange-2: '),
  ])
  const told = [notesIn(out), findings[0]!.problem, ...shown!]
  await expectGolden(told.join('\n\n'), 'unknown-prompts')
})

test('only --force replaces a cassette', async () => {
  using project = open({ 'a.har': har(undefined, entry('Hi')) })
  const words = ['import', 'a.har', '--to', '__recordings__/a.json', '--write']
  expect((await project.run(...words)).code).toBe(0)
  const file = join(project.root, '__recordings__/a.json')
  writeFileSync(file, 'mine')
  const refused = await project.run(...words)
  expect(refused.code).toBe(1)
  await expectGolden(refused.problems, 'not-written')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect((await project.run(...words, '--force')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('You said: Hi')
})

test('the ending that a tool gives all of its files is no part of a name', async () => {
  const cassette = {
    version: 2,
    meta: { createdAt: '2025-03-01T10:00:00.000Z', seinfeldVersion: '0.1.0' },
    entries: [
      {
        id: 'one',
        matchKey: 'POST api.openai.com/v1/chat/completions',
        callIndex: 0,
        recordedAt: '2025-03-01T10:00:00.000Z',
        request: {
          method: 'POST',
          url: CHAT,
          headers: {},
          body: { kind: 'json', value: { model: 'gpt-5', messages: [] } },
        },
        response: { status: 200, headers: {}, body: { kind: 'json', value: { choices: [] } } },
      },
    ],
  }
  using project = open({
    'groq-v1.cassette.json': cassette,
    'groq-v1-latest.cassette.json': cassette,
  })
  await project.run('import', '.', '--to', '__recordings__', '--write')
  expect(cassettesIn(project)).toEqual(['groq-v1-latest.json', 'groq-v1.json'])
})

test('names that are long, or equal but for their case, are names of files on every system', async () => {
  const long = 'a very long title '.repeat(20)
  using project = open({
    'one.har': har('Asks', entry('one')),
    'two.har': har('asks', entry('two')),
    'long.har': har(long, entry('three')),
    'out.har': har('../../etc/passwd', entry('four')),
  })
  const files = ['one.har', 'two.har', 'long.har', 'out.har']
  const { code } = await project.run('import', ...files, '--to', '__recordings__', '--write')
  expect(code).toBe(0)
  const names = cassettesIn(project)
  expect(names.length).toBe(4)
  for (const name of names) expect(name).toMatch(/^[\w-]{1,190}\.json$/)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4)
  expect((await project.run('verify')).code).toBe(0)
})

test.for<[what: string, words: string[], named: string]>([
  ['a place outside', ['a.har', '--to', '../out'], '--to ../out'],
  ['one file for several', ['a.har', 'b.har', '--to', 'x.json'], 'x.json'],
  ['an unknown format', ['a.har', '--from', 'harr', '--to', 'x'], "'harr'"],
  ['no name', ['--write'], 'npx vitest-cassette import '],
  ['no file', ['c.har', '--write'], ' c.har'],
  ['no pattern', ['a.har', '--to', 'x', '--redact', '('], '--redact ('],
  ['no test', ['a.har', '--to', 'x', '--map', 'a.har=asks'], '"asks"'],
  ['no file of tests', ['a.har', '--to', 'x', '--map-file', 'm'], ' m: '],
  ['no Vitest, and no other place', ['a.har'], 'Vitest '],
])('%s is a problem of the command line', async ([, words, named]) => {
  using project = open({ 'a.har': har('a', entry('Hi')), 'b.har': har('b', entry('Hi')) })
  const { code, problems } = await project.run('import', ...words)
  expect(problems).toContain(named)
  expect(code).toBe(2)
  expect(cassettesIn(project)).toEqual([])
})

test.for<[name: string, words: string[]]>([
  ['place-outside', ['a.har', '--to', '../out']],
  ['one-file-for-several', ['a.har', 'b.har', '--to', 'x.json']],
  ['no-name', ['--write']],
  ['no-vitest', ['a.har']],
])('the problem of a command line is told: %s', async ([name, words]) => {
  using project = open({ 'a.har': har('a', entry('Hi')), 'b.har': har('b', entry('Hi')) })
  const { problems } = await project.run('import', ...words)
  await expectGolden(problems, name, { [project.root]: '<root>' })
})

test('what cannot be read is named with its format and the reason, and stops nothing else', async () => {
  using project = open({
    'rec/a.har': har('a', entry('Hi')),
    'rec/b.har': '{"log":{"version":"1.2","entries":[{',
  })
  const { code, problems } = await project.run('import', 'rec', '--to', '__recordings__', '--write')
  expect(code).toBe(1)
  expect(problems).toContain('rec/b.har ')
  expect((await importedBy(project, 'rec', '--to', '__recordings__')).unread).toMatchObject([
    { file: 'rec/b.har', nearest: 'har', isBroken: true },
  ])
  expect(cassettesIn(project)).toEqual(['a.json'])
})

test('credentials are replaced and counted, and so is what --redact finds', async () => {
  using project = open({ 'a.har': har('a', entry(`The key ${KEY} of acct_12345`)) })
  const words = ['import', 'a.har', '--to', '__recordings__', '--write']
  const rule = ['--redact', String.raw`/acct_\w+/`]
  const data = await importedBy(project, ...words.slice(1, -1), ...rule)
  expect(data.cassettes).toMatchObject([{ exchanges: 1, credentials: 4 }])
  const { out } = await project.run(...words.slice(0, -1), ...rule)
  await expectGolden(notesIn(out), 'credentials')
  expect((await project.run(...words, ...rule)).code).toBe(0)
  const text = readFileSync(join(project.root, '__recordings__/a.json'), 'utf8')
  expect(text).not.toContain(KEY)
  expect(text).not.toContain('acct_12345')
  expect((await project.run('verify')).problems).toBe('')
})

test.for<[what: string, content: string]>([
  ['base64', `Sign in: ${Buffer.from(`bob:${KEY}`).toString('base64')} please`],
  ['hex', Buffer.from(KEY).toString('hex')],
])(
  'a credential in %s is not written, and the line that replaces it is told',
  async ([, content]) => {
    using project = open({ 'a.har': har('a', entry('Hi'), entry(content)) })
    const words = ['import', 'a.har', '--to', '__recordings__', '--write']
    const refused = await project.run(...words)
    expect(refused.code).toBe(1)
    for (const place of [' exchange-2,', ' /exchanges/1/prompt/'])
      expect(refused.problems).toContain(place)
    expect(refused.problems).not.toContain(content)
    const [, rule = ''] = /^ {2}--redact '(.+)'$/m.exec(refused.problems) ?? []
    const { code, problems } = await project.run(...words, '--redact', rule)
    expect([code, problems]).toEqual([0, ''])
    const text = readFileSync(join(project.root, '__recordings__/a.json'), 'utf8')
    expect(text).toMatch(/<REDACTED:rule\.1(?: [\da-f]{12})?>/)
  },
)

test('other calls than those of models name the option that they need, or are left out', async () => {
  const weather = entry('Bern', 'https://weather.example.com/today')
  using project = open({
    'a.har': har('a', entry('Hi'), weather, entry('x', 'https://api.smith.langchain.com/runs')),
  })
  const words = ['import', 'a.har', '--to', '__recordings__']
  const all = await project.run(...words)
  expect(all.out).toContain("cassettes({ hosts: ['weather.example.com'] })")
  const allData = await importedBy(project, ...words.slice(1))
  expect(allData).toMatchObject({
    recordings: [{ exchanges: 2 }],
    hosts: ['weather.example.com'],
  })
  expect(Object.values(allData.recordings[0].leftOut)).toEqual([1])
  const some = await project.run(...words, '--only-llm')
  const someData = await importedBy(project, ...words.slice(1), '--only-llm')
  expect(someData).toMatchObject({ recordings: [{ exchanges: 1 }], hosts: [] })
  expect(Object.values(someData.recordings[0].leftOut)).toEqual([1, 1])
  await expectGolden(`${notesIn(all.out)}\n\n${notesIn(some.out)}`, 'other-calls')
})

test('a call that no answer came to is left out', async () => {
  const broken = entry('Hi') as { response: { status: number } }
  broken.response.status = 0
  using project = open({ 'a.har': har('a', broken, entry('Hi')) })
  const { recordings, cassettes } = await importedBy(project, 'a.har', '--to', '__recordings__')
  expect(recordings[0].leftOut).toEqual({ [leftOutAs('no answer')]: 1 })
  expect(cassettes).toMatchObject([{ exchanges: 1 }])
})

test('--json has what the command says', async () => {
  using project = open({ 'a.har': har('a', entry('Hi')) })
  const { out } = await project.run('import', 'a.har', '--to', '__recordings__', '--json')
  expect(JSON.parse(out)).toMatchObject({
    recordings: [{ file: 'a.har', format: 'har', name: 'a', exchanges: 1 }],
    cassettes: [{ cassette: '__recordings__/a.json', exchanges: 1, unasked: 0, credentials: 0 }],
    hosts: [],
    unread: [],
  })
})

test('import hands files of this package to history import, which names import for all others', async () => {
  const history = {
    version: '1.0',
    conversation_id: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: [{ prompt: { text: 'Hi' }, response: { text: 'Hello.' } }],
  }
  using project = open({ 'talk.json': history, 'a.har': har('a', entry('Hi')) })
  const own = await project.run('import', 'talk.json')
  expect([own.code, own.problems]).toEqual([0, ''])
  expect(cassettesIn(project).some((name) => name.startsWith('a.test.ts/asks-'))).toBe(true)
  const other = await project.run('history', 'import', 'a.har')
  expect(other.code).toBe(2)
  expect(other.problems).toContain('npx vitest-cassette import a.har')
})

test('a file that is nearly a recording is named so, beside what else it is not', async () => {
  using project = open({ 'a.json': { log: { version: '1.2' } } })
  const { code, problems } = await project.run('import', 'a.json')
  expect(code).toBe(1)
  expect(problems).toMatch(/\bhar\b/)
  await expectGolden(problems.trimEnd().split('\n').at(-1)!, 'nearly-a-recording')
})
