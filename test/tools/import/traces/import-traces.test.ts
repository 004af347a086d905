import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src/json/json-value.ts'
import { CliProject } from '../../run-cli.ts'
import { chatOf, otlpOf } from './spans.ts'

const captured = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../../../emitters/captured/${name}.jsonl`, import.meta.url)),
    'utf8',
  )
const KEY = ['sk', 'proj', 'aB3dE6gH9'.repeat(5)].join('-')

function open(files: Record<string, string | Uint8Array>): CliProject {
  const project = new CliProject()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project.root, name)), { recursive: true })
    writeFileSync(join(project.root, name), content)
  }
  return project
}

const filesIn = (project: CliProject, folder: string): string[] =>
  existsSync(join(project.root, folder)) ? readdirSync(join(project.root, folder)).sort() : []

test('each trace of a folder becomes a cassette with its id as its name', async () => {
  using project = open({
    'traces/a.jsonl': captured('langfuse-openai-chat.plain'),
    'traces/b.jsonl': captured('langsmith-openai-chat.error'),
    // Another run of the first.
    'traces/c.jsonl': captured('langfuse-openai-chat.plain').replaceAll('5c6a9364', '00000000'),
    'traces/notes.md': '# Notes',
  })
  const words = ['import', 'traces', '--to', 'from-traces']
  const { code, out, problems } = await project.run(...words)
  expect([code, problems]).toEqual([0, ''])
  expect(out).toMatch(/traces\/a\.jsonl \(5c6a\w+\) +4 +from-traces\/5c6a\w+\.json/)
  expect(out).toContain('Left out: 1 trace with the prompts and calls of another')
  expect(out).toContain('Not compared, as the tracer left it out: the model (4 of 5 calls)')
  expect(out).toContain('Not read: 1 other file')
  expect(out).toContain('2 cassettes with 5 exchanges. Nothing was written; to write: --write')
  expect(filesIn(project, 'from-traces')).toEqual([])

  const written = await project.run(...words, '--write')
  expect([written.code, written.problems]).toEqual([0, ''])
  expect(written.out).toContain('Wrote 2 cassettes.')
  expect(filesIn(project, 'from-traces')).toHaveLength(2)
  expect((await project.run('verify', '--dir', 'from-traces')).out).toContain('no problem')
  expect((await project.run('show', '--dir', 'from-traces')).out).toContain('You get 40 euros back')

  const again = await project.run(...words, '--write')
  expect(again.code).toBe(1)
  expect(again.problems).toContain('it exists: replace it with --force')
})

test('what looks personal is named, and credentials are replaced', async () => {
  using project = open({
    'trace.json': otlpOf([
      { id: 'a', attributes: chatOf(`I am ada@lovelace.org, my key is ${KEY}.`, 'Hello.') },
    ]),
  })
  const words = ['import', 'trace.json', '--to', '__recordings__/a.json']
  const { out } = await project.run(...words)
  expect(out).toContain('an e-mail address: ada@lovelace.org')
  expect(out).toContain('Replaced what is or looks like a credential, at 1 place')
  const rule = ['--redact', '/ada@[a-z.]+/']
  const { code, out: json } = await project.run(...words, ...rule, '--json', '--write')
  expect(code).toBe(0)
  expect(JSON.parse(json)).toMatchObject({
    recordings: [],
    traces: [
      {
        file: 'trace.json',
        calls: 1,
        same: [],
        cassette: '__recordings__/a.json',
        notCompared: { tools: 1, parameters: 1 },
        cutTexts: [],
        personal: [],
      },
    ],
  })
  const cassette = readFileSync(join(project.root, '__recordings__/a.json'), 'utf8')
  expect(cassette).not.toMatch(/lovelace|aB3dE6gH9/)
})

test('further choices are told, and what is not known of them', async () => {
  const choice = (content: string): JsonValue => ({
    role: 'assistant',
    parts: [{ type: 'text', content }],
    finish_reason: 'stop',
  })
  const output = JSON.stringify([choice('A'), choice('B')])
  using project = open({
    'trace.json': otlpOf([
      { id: 'a', attributes: chatOf('Hi', '', { 'gen_ai.output.messages': output }) },
      { id: 'b', attributes: chatOf('Bye', 'Yes', { 'gen_ai.request.choice.count': 2 }) },
    ]),
  })
  const words = ['import', 'trace.json', '--to', 'a.json']
  const { out } = await project.run(...words)
  expect(out).toContain('Further choices of an answer (1 of 2 calls) are given to a request that')
  expect(out).toContain('how many choices were asked for (1 of 2 calls)')
  expect(out).toContain('further choices of an answer (1 of 2 calls)')
  const { out: json } = await project.run(...words, '--json')
  const [trace] = JSON.parse(json).traces
  expect(trace).toMatchObject({ callsWithChoices: 1, notCompared: { count: 1, choices: 1 } })
})

test('texts that a tracer has cut are compared up to the cut if it is said', async () => {
  using project = open({
    'trace.json': otlpOf([{ id: 'a', attributes: chatOf('A long story [truncated]', 'Hi.') }]),
  })
  const words = ['import', 'trace.json', '--to', 'a.json']
  expect((await project.run(...words)).out).toContain(
    '1 text was cut by the tracer, and is not compared. To compare up to the cut: --cut-texts',
  )
  const { out } = await project.run(...words, '--cut-texts', '--write')
  expect(out).toContain('is compared up to the cut.')
  expect(readFileSync(join(project.root, 'a.json'), 'utf8')).toContain('"A long story')
})

const LISTED = JSON.stringify(
  captured('langfuse-openai-chat.plain')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown),
  null,
  2,
)

test.for<[name: string, content: string | Uint8Array]>([
  ['lines', captured('langfuse-openai-chat.plain')],
  ['a list over many lines', LISTED],
  ['a list in one line', JSON.stringify(JSON.parse(LISTED))],
  ['packed', gzipSync(captured('langfuse-openai-chat.plain'))],
  ['a first line that is longer than 64 KB', longLines()],
])('a file is read as a trace: %s', async ([, content]) => {
  using project = open({ 'trace.json': content })
  const { out, problems } = await project.run('import', 'trace.json', '--to', 'a.json')
  expect(problems).toBe('')
  expect(out).toMatch(/1 cassette with [24] exchanges/)
})

function longLines(): string {
  const spans = (id: string, said: string): string =>
    otlpOf([{ id, at: id === 'a' ? 0 : 1, attributes: chatOf(said, 'Yes.') }])
  return `${spans('a', 'Why? '.repeat(20_000))}\n${spans('b', 'Hi')}\n`
}

test.for<[name: string, content: string, said: string]>([
  ['no texts', captured('otel-openai-chat-without-content.plain'), 'have no texts'],
  ['no call of a model', otlpOf([{ id: 'a' }]), 'none of its 1 span is the call of a model'],
  ['half of a file', LISTED.slice(0, 900), 'it is broken JSON'],
  [
    'a line that is torn',
    `${captured('langfuse-openai-chat.plain')}{"resourceSpans": [`,
    'is no JSON: "{\\"resourceSpans\\": ["',
  ],
  ['a wrong type', '{"resourceSpans": 3}', 'a list is expected, and there is 3'],
])('a trace with %s is told, and stops no other', async ([, content, said]) => {
  using project = open({
    'bad.json': content,
    'good.json': captured('langsmith-openai-chat.plain'),
  })
  const alone = await project.run('import', 'bad.json', '--to', 'out', '--write')
  expect(alone.code).toBe(1)
  expect(alone.problems).toContain('Not read: bad.json')
  expect(alone.problems).toContain(said)
  const both = await project.run('import', 'bad.json', 'good.json', '--to', 'out', '--write')
  expect(both.code).toBe(1)
  expect(both.problems).toContain(said)
  expect(filesIn(project, 'out')).toHaveLength(1)
})

test.for<[what: string, value: unknown]>([
  [
    'W&B Weave',
    [{ id: '1', op_name: 'weave:///openai.chat', started_at: '2026-01-01', inputs: {} }],
  ],
  [
    'Datadog LLM Observability',
    {
      data: { attributes: { ml_app: 'shop', spans: [{ span_id: '1', trace_id: '2', meta: {} }] } },
    },
  ],
  ['Zipkin', [{ traceId: 'a', id: 'b', localEndpoint: { serviceName: 'shop' }, tags: {} }]],
  ['Helicone', [{ request_id: '1', request_body: {}, response_body: {} }]],
  [
    'Opik',
    {
      content: [{ trace_id: '1', project_id: '2', created_by: 'a', last_updated_at: '2026-01-01' }],
    },
  ],
])('a trace of %s is not read, and says what is', async ([what, value]) => {
  using project = open({ 'trace.json': JSON.stringify(value) })
  const { code, problems } = await project.run('import', 'trace.json', '--to', 'out', '--write')
  expect(code).toBe(1)
  expect(problems).toMatch(
    new RegExp(`Not read: trace.json.*it is .*${what}.*, which is not read: `),
  )
})

test.for<[words: string[], said: string]>([
  [['two.json', '--test', 'a'], 'A test has one cassette, and these are 2 traces:\n  0'],
  [['two.json', '--to', 'a.json'], 'is one file, and 2'],
  [['one.json', '--to', 'a.json', '--write-test', 'b.ts'], 'Say one of both.'],
  [['one.json', '--to', '../a.json'], 'leads out of'],
  [['one.json', '--write-test', 'one.json'], 'one.json exists, and is not changed.'],
  [['one.json', 'a.har', '--test', 'a'], '--test is for a trace, and a.har is a recording (har)'],
  [['one.json', '--redact', '('], '--redact (: Invalid regular expression'],
])('%s is refused', async ([words, said]) => {
  const call = (id: string, trace: string) => ({ id, trace, attributes: chatOf(`Hi ${id}`, 'Yes') })
  using project = open({
    'one.json': otlpOf([call('a', '1')]),
    'two.json': otlpOf([call('a', '1'), call('b', '2')]),
    'a.har': JSON.stringify({ log: { version: '1.2', entries: [HAR_ENTRY] } }),
  })
  const { code, problems } = await project.run('import', ...words, '--write')
  expect(code).toBe(2)
  expect(problems).toContain(said)
  expect(existsSync(join(project.root, 'a.json'))).toBe(false)
})

test('a trace that an exporter has spread over files is one', async () => {
  const call = (id: string, at: number, said: string) =>
    otlpOf([{ id, at, parent: 'root', trace: 'ab', attributes: chatOf(said, `${said}!`) }])
  using project = open({
    'rotated/traces-2.json': call('b', 1, 'Bye'),
    'rotated/traces-1.json': call('a', 0, 'Hi'),
    'rotated/traces-3.json': otlpOf([{ id: 'root', trace: 'ab', name: 'agent' }]),
  })
  const { code, out, problems } = await project.run(
    'import',
    'rotated',
    '--to',
    'a.json',
    '--write',
  )
  expect([code, problems]).toEqual([0, ''])
  expect(out).toContain('rotated/traces-1.json and 2 other files (00')
  expect(out).not.toContain('not in the file')
  const { exchanges } = JSON.parse(readFileSync(join(project.root, 'a.json'), 'utf8'))
  expect(exchanges).toMatchObject([{ response: { text: 'Hi!' } }, { response: { text: 'Bye!' } }])
})

test('one of several traces is chosen by the beginning of its id', async () => {
  const call = (id: string, trace: string, at: number) => ({
    id,
    at,
    trace: trace.padEnd(32, '0'),
    attributes: chatOf(`My lamp ${id} is broken`, 'Yes'),
  })
  using project = open({
    'two.json': otlpOf([call('b', 'abd2', 60), call('a', 'abc1', 0), call('c', 'abd2', 70)]),
  })
  const words = ['import', 'two.json', '--test', 'a']
  const { code, problems } = await project.run(...words)
  expect(code).toBe(2)
  expect(problems).toContain(
    [
      'A test has one cassette, and these are 2 traces:',
      '  abc10000000000000000000000000000  2023-11-14 22:13:20  1 call  "My lamp a is broken"',
      '  abd20000000000000000000000000000  2023-11-14 22:14:20  2 calls  "My lamp b is broken"',
      'Say which one by the beginning of its id: --trace abc10000',
    ].join('\n'),
  )
  const none = await project.run('import', 'two.json', '--to', 'a.json', '--trace', 'abe')
  expect([none.code, none.problems]).toEqual([
    2,
    expect.stringContaining('begins with abe. There are:\n  abc1'),
  ])
  const both = await project.run('import', 'two.json', '--to', 'a.json', '--trace', 'ab')
  expect([both.code, both.problems]).toEqual([
    2,
    expect.stringContaining('2 traces have an id that begins with ab:'),
  ])
  const one = await project.run('import', 'two.json', '--to', 'a.json', '--trace', 'abd', '--write')
  expect([one.code, one.problems]).toEqual([0, ''])
  expect(readFileSync(join(project.root, 'a.json'), 'utf8')).toContain('My lamp c')
  expect(readFileSync(join(project.root, 'a.json'), 'utf8')).not.toContain('My lamp a')
})

test('a trace without texts, or one that is broken, is told beside others', async () => {
  using project = open({
    'three.json': otlpOf([
      { id: 'a', trace: 'aaaaaaaa1', attributes: chatOf('Hi', 'Yes') },
      { id: 'b', trace: 'aaaaaaaa2', attributes: { 'gen_ai.operation.name': 'chat' } },
      {
        id: 'c',
        trace: 'aaaaaaaa3',
        attributes: { ...chatOf('Hi', 'No'), 'gen_ai.request.model': 7 },
      },
    ]),
  })
  const { code, out, problems } = await project.run(
    'import',
    'three.json',
    '--to',
    'out',
    '--write',
  )
  expect(code).toBe(1)
  expect(out).toContain(
    'Left out: 1 trace without texts, which these settings keep:\n  OpenTelemetry',
  )
  expect(problems).toContain('a text is expected in gen_ai.request.model, and there is 7')
  expect(filesIn(project, 'out')).toHaveLength(1)
})

const HAR_ENTRY = {
  request: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: [],
    postData: { text: '{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}]}' },
  },
  response: { status: 200, headers: [], content: { text: '{"choices":[]}' } },
}

test('`history import` leads a trace to `import`', async () => {
  using project = open({ 'one.json': otlpOf([{ id: 'a', attributes: chatOf('Hi', 'Yes') }]) })
  const { code, problems } = await project.run('history', 'import', 'one.json')
  expect(code).toBe(2)
  expect(problems).toContain('one.json is a trace (OTLP/JSON).')
  expect(problems).toContain('npx vitest-cassette import one.json')
})
