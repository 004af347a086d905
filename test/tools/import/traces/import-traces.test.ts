import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src/json/json-value.ts'
import { expectGolden } from '../../../golden.ts'
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

/** What the command says in JSON. */
async function importedBy(project: CliProject, ...words: string[]) {
  const { code, out } = await project.run(...words, '--json')
  return { code, ...JSON.parse(out) }
}

/** The notes on a plan, without the table above them and the sum below. */
const notesIn = (out: string): string => out.split('\n\n')[1]!.split('\n').slice(0, -2).join('\n')

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
  expect(out).toMatch(/traces\/b\.jsonl \(01a2[\w-]+\) +1 +from-traces\/01a2[\w-]+\.json/)
  const lines = out.trimEnd().split('\n')
  await expectGolden([lines.at(-3), lines.at(-1)].join('\n'), 'plan')
  const { traces, unread } = await importedBy(project, ...words)
  expect(traces).toMatchObject([
    { file: 'traces/a.jsonl', calls: 4, same: [expect.stringMatching(/^0{8}/)] },
    { file: 'traces/b.jsonl', calls: 1, same: [] },
  ])
  expect(traces[0].notCompared).toMatchObject({ model: 4 })
  expect(unread).toMatchObject([{ file: 'traces/notes.md' }])
  expect(filesIn(project, 'from-traces')).toEqual([])

  const written = await project.run(...words, '--write')
  expect([written.code, written.problems]).toEqual([0, ''])
  const files = filesIn(project, 'from-traces')
  expect(files).toHaveLength(2)
  const verified = await project.run('verify', '--dir', 'from-traces', '--json')
  expect(JSON.parse(verified.out)).toMatchObject({ cassettes: 2, findings: [] })
  expect((await project.run('show', '--full', '--dir', 'from-traces')).out).toContain(
    'You get 40 euros back',
  )

  const again = await project.run(...words, '--write')
  expect(again.code).toBe(1)
  for (const file of files) expect(again.problems).toContain(` from-traces/${file}: `)
})

test('what looks personal is named, and credentials are replaced', async () => {
  using project = open({
    'trace.json': otlpOf([
      { id: 'a', attributes: chatOf(`I am ada@lovelace.org, my key is ${KEY}.`, 'Hello.') },
    ]),
  })
  const words = ['import', 'trace.json', '--to', '__recordings__/a.json']
  const { out } = await project.run(...words)
  const [, ...notes] = notesIn(out).split('\n')
  expect(notes.pop()).toMatch(/: ada@lovelace\.org$/)
  await expectGolden(notes.join('\n'), 'personal')
  expect((await importedBy(project, ...words)).traces).toMatchObject([
    { credentials: 1, personal: [{ text: 'ada@lovelace.org' }] },
  ])
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
  await expectGolden(notesIn(out), 'choices')
  const [trace] = (await importedBy(project, ...words)).traces
  expect(trace).toMatchObject({ callsWithChoices: 1, notCompared: { count: 1, choices: 1 } })
})

test('--cut-texts compares texts up to the cut of their tracer', async () => {
  using project = open({
    'trace.json': otlpOf([{ id: 'a', attributes: chatOf('A long story [truncated]', 'Hi.') }]),
  })
  const words = ['import', 'trace.json', '--to', 'a.json']
  const uncut = await project.run(...words)
  expect((await importedBy(project, ...words)).traces).toMatchObject([
    { cutTexts: [{ text: 'A long story [truncated]', why: 'mark' }] },
  ])
  const cut = await project.run(...words, '--cut-texts')
  const told = [uncut, cut].map(({ out }) => notesIn(out).split('\n').at(-1))
  await expectGolden(told.join('\n'), 'cut-texts')
  await project.run(...words, '--cut-texts', '--write')
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

test.for<[name: string, content: string | Uint8Array, calls: number]>([
  ['lines', captured('langfuse-openai-chat.plain'), 4],
  ['a list over many lines', LISTED, 4],
  ['a list in one line', JSON.stringify(JSON.parse(LISTED)), 4],
  ['packed', gzipSync(captured('langfuse-openai-chat.plain')), 4],
  ['a first line that is longer than 64 KB', longLines(), 2],
])('a file is read as a trace: %s', async ([, content, calls]) => {
  using project = open({ 'trace.json': content })
  const { out, problems } = await project.run('import', 'trace.json', '--to', 'a.json', '--json')
  expect(problems).toBe('')
  expect(JSON.parse(out)).toMatchObject({ traces: [{ calls, cassette: 'a.json' }], unread: [] })
})

function longLines(): string {
  const spans = (id: string, said: string): string =>
    otlpOf([{ id, at: id === 'a' ? 0 : 1, attributes: chatOf(said, 'Yes.') }])
  return `${spans('a', 'Why? '.repeat(20_000))}\n${spans('b', 'Hi')}\n`
}

test.for<[name: string, content: string, named: string]>([
  ['no texts', captured('otel-openai-chat-without-content.plain'), '_MESSAGE_CONTENT=true'],
  ['no call of a model', otlpOf([{ id: 'a' }]), ' 1 span '],
  ['half of a file', LISTED.slice(0, 900), ' JSON'],
  [
    'a line that is torn',
    `${captured('langfuse-openai-chat.plain')}{"resourceSpans": [`,
    ' JSON: "{\\"resourceSpans\\": ["',
  ],
  ['a wrong type', '{"resourceSpans": 3}', ' resourceSpans '],
])('a trace with %s is told, and stops no other', async ([, content, named]) => {
  using project = open({
    'bad.json': content,
    'good.json': captured('langsmith-openai-chat.plain'),
  })
  const alone = await project.run('import', 'bad.json', '--to', 'out', '--write')
  expect(alone.code).toBe(1)
  expect(alone.problems).toContain('bad.json')
  expect(alone.problems).toContain(named)
  const { unread } = await importedBy(project, 'import', 'bad.json', '--to', 'out')
  expect(unread).toMatchObject([{ file: 'bad.json', isBroken: true }])
  const both = await project.run('import', 'bad.json', 'good.json', '--to', 'out', '--write')
  expect(both.code).toBe(1)
  expect(both.problems).toContain(named)
  expect(filesIn(project, 'out')).toHaveLength(1)
})

const OTHER_TRACES: Array<[what: string, value: unknown]> = [
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
]

test.for(OTHER_TRACES)('a trace of %s is not read, and named', async ([what, value]) => {
  using project = open({ 'trace.json': JSON.stringify(value) })
  const { code, problems } = await project.run('import', 'trace.json', '--to', 'out', '--write')
  expect(code).toBe(1)
  expect(problems).toMatch(new RegExp(`trace\\.json.*${what}`))
  expect(filesIn(project, 'out')).toEqual([])
})

test('a trace that is not read says what is', async () => {
  const named = OTHER_TRACES.map(([what, value]) => [`${what}.json`, JSON.stringify(value)])
  using project = open(Object.fromEntries(named))
  const { problems } = await project.run('import', '.', '--to', 'out')
  await expectGolden(problems, 'other-traces')
})

const REFUSED: Array<[words: string[], named: string]> = [
  [['two.json', '--test', 'a'], ' 2 traces:\n  0'],
  [['two.json', '--to', 'a.json'], '--to a.json '],
  [['one.json', '--to', 'a.json', '--write-test', 'b.ts'], ' --to'],
  [['one.json', '--to', '../a.json'], '--to ../a.json '],
  [['one.json', '--write-test', 'one.json'], 'one.json '],
  [['one.json', 'a.har', '--test', 'a'], ' a.har '],
  [['one.json', '--redact', '('], '--redact (: Invalid regular expression'],
]

function openForRefusal(): CliProject {
  const call = (id: string, trace: string) => ({ id, trace, attributes: chatOf(`Hi ${id}`, 'Yes') })
  return open({
    'one.json': otlpOf([call('a', '1')]),
    'two.json': otlpOf([call('a', '1'), call('b', '2')]),
    'a.har': JSON.stringify({ log: { version: '1.2', entries: [HAR_ENTRY] } }),
  })
}

test.for(REFUSED)('%s is refused', async ([words, named]) => {
  using project = openForRefusal()
  const before = readFileSync(join(project.root, 'one.json'), 'utf8')
  const { code, problems } = await project.run('import', ...words, '--write')
  expect(code).toBe(2)
  expect(problems).toContain(named)
  expect(readFileSync(join(project.root, 'one.json'), 'utf8')).toBe(before)
  expect(existsSync(join(project.root, 'a.json'))).toBe(false)
})

test('a refused command says why', async () => {
  using project = openForRefusal()
  const told: string[] = []
  // The others are those of recordings too, or stand in tests of their own.
  for (const index of [2, 4, 5]) {
    const words = REFUSED[index]![0]
    const { problems } = await project.run('import', ...words, '--write')
    told.push(`import ${words.join(' ')}\n${problems}`)
  }
  await expectGolden(told.join('\n'), 'refused')
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
  expect(out).toMatch(/rotated\/traces-1\.json .* 2 .*\(00/)
  const { traces } = await importedBy(project, 'import', 'rotated', '--to', 'b.json')
  expect(traces).toMatchObject([{ calls: 2, orphans: 0 }])
  const { exchanges } = JSON.parse(readFileSync(join(project.root, 'a.json'), 'utf8'))
  expect(exchanges).toMatchObject([{ response: { text: 'Hi!' } }, { response: { text: 'Bye!' } }])
})

test('the first digits of an id choose one of several traces', async () => {
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
  for (const fact of [
    /^ {2}abc10{28} {2}2023-11-14 22:13:20 {2}1 .* "My lamp a is broken"$/m,
    /^ {2}abd20{28} {2}2023-11-14 22:14:20 {2}2 .* "My lamp b is broken"$/m,
    /--trace abc10000$/m,
  ])
    expect(problems).toMatch(fact)
  const none = await project.run('import', 'two.json', '--to', 'a.json', '--trace', 'abe')
  expect([none.code, none.problems]).toEqual([2, expect.stringMatching(/ abe\b[^]*\n {2}abc1/)])
  const both = await project.run('import', 'two.json', '--to', 'a.json', '--trace', 'ab')
  expect([both.code, both.problems]).toEqual([
    2,
    expect.stringMatching(/ ab\b[^]*\n {2}abc1[^]*\n {2}abd2/),
  ])
  await expectGolden([problems, none.problems, both.problems].join('\n'), 'several-traces')
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
  expect(notesIn(out)).toMatch(/ 1 .*\n {2}OpenTelemetry/)
  await expectGolden(notesIn(out).split('\n')[0]!, 'without-texts')
  for (const fact of [' gen_ai.request.model,', ' 7']) expect(problems).toContain(fact)
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

test('`history import` names `import` for a trace', async () => {
  using project = open({ 'one.json': otlpOf([{ id: 'a', attributes: chatOf('Hi', 'Yes') }]) })
  const { code, problems } = await project.run('history', 'import', 'one.json')
  expect(code).toBe(2)
  expect(problems).toContain('(OTLP/JSON)')
  expect(problems).toContain('npx vitest-cassette import one.json')
  await expectGolden(problems, 'history-import')
})
