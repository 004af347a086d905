import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../run-cli.ts'
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

const cassettesIn = (project: CliProject): string[] =>
  existsSync(join(project.root, '__recordings__'))
    ? readdirSync(join(project.root, '__recordings__'), {
        recursive: true,
        encoding: 'utf8',
      }).sort()
    : []

test('it tells what there is, and writes nothing until it is asked to', async () => {
  using project = open({
    'rec/a.har': har('suite/asks', entry('Hi'), entry('Again')),
    'rec/notes.md': '# Notes',
  })
  const { code, out, problems } = await project.run('import', 'rec', '--to', '__recordings__')
  expect([code, problems]).toEqual([0, ''])
  expect(out).toMatch(/rec\/a\.har \(suite\/asks\) +2 +__recordings__\/suite-asks\.json/)
  expect(out).toContain('Not read: 1 other file, without a recording in it')
  expect(out).toContain('1 cassette with 2 exchanges. Nothing was written')
  expect(cassettesIn(project)).toEqual([])

  const written = await project.run('import', 'rec', '--to', '__recordings__', '--write')
  expect([written.code, written.problems]).toEqual([0, ''])
  expect(cassettesIn(project)).toEqual(['suite-asks.json'])
  expect((await project.run('verify')).out).toContain('no problem')
  expect((await project.run('show')).out).toContain('You said: Again')
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
  const { out } = await project.run('import', 'a.har', '--to', '__recordings__')
  expect(out).toContain('Left out: a download of a tokenizer or a model (1)')
  expect(out).toContain('1 cassette with 2 exchanges.')
  expect(out).not.toContain('hosts')
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

test('verify and show name the exchanges of which nobody knows the prompt', async () => {
  const match = { userMessage: 'Hi' }
  const fixtures = [
    { match, response: { content: 'Hello.' } },
    { match, response: { content: 'Bye.' } },
  ]
  using project = open({ 'chat.json': { fixtures } })
  const { code, out } = await project.run(
    'import',
    'chat.json',
    '--to',
    '__recordings__',
    '--write',
  )
  expect(code).toBe(0)
  expect(out).toContain('The prompt of 2 exchanges is unknown')
  const verified = await project.run('verify')
  expect(verified.code).toBe(0)
  expect(verified.out).toContain('Nobody knows which prompt it answers: aimock kept none.')
  expect(verified.out).toContain('2 warnings')
  const shown = await project.run('show')
  expect(shown.out).toContain('exchange-2: nobody knows which prompt it answers: aimock kept none')
})

test('a cassette that exists is replaced by --force alone', async () => {
  using project = open({ 'a.har': har(undefined, entry('Hi')) })
  const words = ['import', 'a.har', '--to', '__recordings__/a.json', '--write']
  expect((await project.run(...words)).code).toBe(0)
  const file = join(project.root, '__recordings__/a.json')
  writeFileSync(file, 'mine')
  const refused = await project.run(...words)
  expect(refused.code).toBe(1)
  expect(refused.problems).toContain(
    'Not written: __recordings__/a.json: it exists: replace it with --force',
  )
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

test.for<[what: string, words: string[], said: string]>([
  ['a place outside', ['a.har', '--to', '../out'], '--to ../out leads out of'],
  ['one file for several', ['a.har', 'b.har', '--to', 'x.json'], '2 recordings would go there'],
  ['an unknown format', ['a.har', '--from', 'harr', '--to', 'x'], 'Did you mean har?'],
  ['no name', ['--write'], 'Name files or folders with recordings'],
  ['no file', ['c.har', '--write'], 'There is no file c.har'],
  ['no pattern', ['a.har', '--to', 'x', '--redact', '('], '--redact ('],
  ['no test', ['a.har', '--to', 'x', '--map', 'a.har=asks'], 'does not name one test by "asks"'],
  ['no file of tests', ['a.har', '--to', 'x', '--map-file', 'm'], 'There is no file m'],
  ['no Vitest, and no other place', ['a.har'], 'Vitest is not installed'],
])('%s is a problem of the command line', async ([, words, said]) => {
  using project = open({ 'a.har': har('a', entry('Hi')), 'b.har': har('b', entry('Hi')) })
  const { code, problems } = await project.run('import', ...words)
  expect(problems).toContain(said)
  expect(code).toBe(2)
  expect(cassettesIn(project)).toEqual([])
})

test('what cannot be read is named with its format and the reason, and stops nothing else', async () => {
  using project = open({
    'rec/a.har': har('a', entry('Hi')),
    'rec/b.har': '{"log":{"version":"1.2","entries":[{',
  })
  const { code, problems } = await project.run('import', 'rec', '--to', '__recordings__', '--write')
  expect(code).toBe(1)
  expect(problems).toContain('Not read: rec/b.har (nearest: har)')
  expect(cassettesIn(project)).toEqual(['a.json'])
})

test('credentials are replaced and counted, and so is what --redact finds', async () => {
  using project = open({ 'a.har': har('a', entry(`The key ${KEY} of acct_12345`)) })
  const words = ['import', 'a.har', '--to', '__recordings__', '--write']
  const { code, out } = await project.run(...words, '--redact', String.raw`/acct_\w+/`)
  expect(code).toBe(0)
  expect(out).toContain('Replaced what is or looks like a credential, at ')
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
    expect(refused.problems).toContain('in the request of exchange-2, at /exchanges/1/prompt/')
    expect(refused.problems).not.toContain(content)
    const [, rule = ''] = /^ {2}--redact '(.+)'$/m.exec(refused.problems) ?? []
    const { code, problems } = await project.run(...words, '--redact', rule)
    expect([code, problems]).toEqual([0, ''])
    const text = readFileSync(join(project.root, '__recordings__/a.json'), 'utf8')
    expect(text).toContain('<REDACTED:RULE_1>')
  },
)

test('calls that are no LLM calls name the option that they need, or are left out', async () => {
  const weather = entry('Bern', 'https://weather.example.com/today')
  using project = open({
    'a.har': har('a', entry('Hi'), weather, entry('x', 'https://api.smith.langchain.com/runs')),
  })
  const words = ['import', 'a.har', '--to', '__recordings__']
  const all = await project.run(...words)
  expect(all.out).toContain("cassettes({ hosts: ['weather.example.com'] })")
  expect(all.out).toContain('Left out: telemetry (1)')
  expect(all.out).toContain('with 2 exchanges')
  const some = await project.run(...words, '--only-llm')
  expect(some.out).toContain('Left out: a call that is no LLM call (1), telemetry (1)')
  expect(some.out).not.toContain('hosts:')
})

test('a call that no answer came to is left out', async () => {
  const broken = entry('Hi') as { response: { status: number } }
  broken.response.status = 0
  using project = open({ 'a.har': har('a', broken, entry('Hi')) })
  const { out } = await project.run('import', 'a.har', '--to', '__recordings__')
  expect(out).toMatch(/Left out: a .*\(1\)/)
  expect(out).toContain('1 cassette with 1 exchange.')
})

test('--json has the same', async () => {
  using project = open({ 'a.har': har('a', entry('Hi')) })
  const { out } = await project.run('import', 'a.har', '--to', '__recordings__', '--json')
  expect(JSON.parse(out)).toMatchObject({
    recordings: [{ file: 'a.har', format: 'har', name: 'a', exchanges: 1 }],
    cassettes: [{ cassette: '__recordings__/a.json', exchanges: 1, unasked: 0, credentials: 0 }],
    hosts: [],
    unread: [],
  })
})

test('files of this package go on to history import, and recordings of others come here', async () => {
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
  expect(problems).toContain('nearest: har')
})
