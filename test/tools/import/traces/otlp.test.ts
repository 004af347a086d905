import { expect, test } from 'vitest'
import { isTrace } from '../../../../src/tools/import/traces/read-traces.ts'
import { coded, expectGolden, failureOf } from '../../../golden.ts'
import { failureHeadOf } from '../reasons.ts'
import { attributesOf, callsOf, chatOf, otlpOf, otlpSpan, printed, readTraces } from './spans.ts'

const TRACE = '0102030405060708090a0b0c0d0e0f10'
const SPAN = '0102030405060708'
const buffer = (hex: string) => ({ type: 'Buffer', data: [...Buffer.from(hex, 'hex')] })
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

function fileOf(span: object, more: object = {}): string {
  const spans = [
    { traceId: TRACE, spanId: SPAN, attributes: attributesOf(chatOf('Hi', 'Hello')), ...span },
  ]
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans, ...more }] }] })
}

test.for([
  ['hexadecimal digits', TRACE, SPAN],
  ['capital letters', TRACE.toUpperCase(), SPAN.toUpperCase()],
  ['base64', base64(TRACE), base64(SPAN)],
  ['a buffer', buffer(TRACE), buffer(SPAN)],
])('reads ids in %s', ([, traceId, spanId]) => {
  const [call] = callsOf(fileOf({ traceId, spanId }))
  expect([call!.traceId, call!.spanId]).toEqual([TRACE, SPAN])
})

test.for([
  ['a text', '1700000000123456789', '2023-11-14T22:13:20.123456789Z'],
  ['a number', 1_700_000_000_000, '2023-11-14T22:13:20.000000000Z'],
  ['ISO 8601', '2023-11-14T23:13:20.5+01:00', '2023-11-14T22:13:20.500000000Z'],
  [
    'two halves',
    { low: 153_687_506, high: 404_677_085, unsigned: true },
    '2025-01-28T14:34:05.669299666Z',
  ],
])('reads a time that is %s', ([, startTimeUnixNano, iso]) => {
  const [call] = callsOf(fileOf({ startTimeUnixNano }))
  expect(call!.start).toContain(iso)
})

test('reads a number that is a text, or two halves', () => {
  const attributes = [
    ...(attributesOf(chatOf('Hi', 'Hello')) as object[]),
    {
      key: 'gen_ai.usage.input_tokens',
      value: { intValue: { low: 14, high: 0, unsigned: false } },
    },
    { key: 'gen_ai.usage.output_tokens', value: { stringValue: '7' } },
    { key: 'gen_ai.request.max_tokens', value: { intValue: { low: -1, high: -1 } } },
  ]
  const [call] = callsOf(fileOf({ attributes }))
  expect(call!.answer.usage).toEqual({ input_tokens: 14, output_tokens: 7 })
  // One that says that there is no limit.
  expect(call!.prompt.parameters).toBeUndefined()
})

test('reads attributes that are lists and objects', () => {
  const attributes = [
    ...(attributesOf(chatOf('Hi', 'Hello')) as object[]),
    {
      key: 'gen_ai.input.messages',
      value: {
        arrayValue: {
          values: [
            {
              kvlistValue: {
                values: [
                  { key: 'role', value: { stringValue: 'user' } },
                  { key: 'content', value: { stringValue: 'As an object' } },
                ],
              },
            },
          ],
        },
      },
    },
  ]
  expect(printed(callsOf(fileOf({ attributes }))[0]!)).toEqual(['user: As an object'])
})

test('reads a line for each export, also where a trace is in several, and spans that are there twice', () => {
  const [first, second] = [
    otlpOf([{ id: 'a', at: 0, attributes: chatOf('Hi', 'Hello') }]),
    otlpOf([{ id: 'b', at: 1, attributes: chatOf('Bye', 'See you') }]),
  ]
  const calls = callsOf(`${second}\n${first}\n\n${second}\n`)
  expect(calls.map(({ answer }) => answer.text)).toEqual(['Hello', 'See you'])
})

test('reads the events of log records, in whichever line they stand', () => {
  const span = otlpSpan({ id: 'a', attributes: { 'gen_ai.operation.name': 'chat' } }, 0) as Record<
    string,
    string
  >
  const record = (name: string, body: object) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    attributes: attributesOf({ 'event.name': name }),
    body: {
      kvlistValue: {
        values: Object.entries(body).map(([key, value]) => ({
          key,
          value: { stringValue: value },
        })),
      },
    },
  })
  const logRecords = [
    record('gen_ai.user.message', { content: 'Hi' }),
    record('gen_ai.choice', { finish_reason: 'stop', message: '{"content":"Hello"}' }),
    { body: { stringValue: 'a line of a log' } },
  ]
  const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
  const spans = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  for (const text of [`${logs}\n${spans}`, `${spans}\n${logs}`]) {
    const [call, ...others] = callsOf(text)
    expect(others).toEqual([])
    expect(printed(call!)).toEqual(['user: Hi'])
    expect(call!.answer).toEqual({ text: 'Hello', finish_reasons: ['stop'] })
  }
})

test.for([
  ['the names of protocol buffers', { resource_spans: [{ scope_spans: [{ spans: [] }] }] }],
  ['older names', { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [] }] }] }],
  ['Tempo', { batches: [{ scopeSpans: [{ spans: [] }] }] }],
])('knows %s', ([, value]) => {
  expect(isTrace(value)).toBe(true)
})

test.for([{ log: { entries: [] } }, { exchanges: [] }, [], null, 'text', { data: [] }])(
  'takes %j for no trace',
  (value) => {
    expect(isTrace(value)).toBe(false)
  },
)

const UNREADABLE: Array<[what: string, text: string, names: string[]]> = [
  ['nothing', '', []],
  ['something else', '{"a":1}', []],
  ['a line that is no JSON', `${otlpOf([])}\nnonsense`, [' line 2 ', '"nonsense"']],
  ['a number as a list', '{"resourceSpans":1}', [' resourceSpans ', ' 1']],
  ['a text as an object', '{"resourceSpans":["x"]}', [' resourceSpans[0] ', '"x"']],
  ['a span without an id', fileOf({ spanId: undefined }), [' span 1 ', ' spanId ', ' traceId']],
  ['a number as an id', fileOf({ spanId: 7 }), [' 7']],
  ['a word as a time', fileOf({ startTimeUnixNano: 'noon' }), ['"noon"']],
  ['attributes that are no list', fileOf({ attributes: { a: 1 } }), []],
  [
    'a word as an integer',
    fileOf({ attributes: [{ key: 'n', value: { intValue: 'many' } }] }),
    [' n ', '"many"'],
  ],
  [
    'a number as a text',
    fileOf({ attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.request.model': 7 }) }),
    [' gen_ai.request.model,', ' 7'],
  ],
  [
    'a word as a number',
    fileOf({
      attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.usage.input_tokens': 'many' }),
    }),
    [' gen_ai.usage.input_tokens,', '"many"'],
  ],
  [
    'a word as JSON',
    fileOf({
      attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.tool.definitions': 'none' }),
    }),
    [' gen_ai.tool.definitions,', '"none"'],
  ],
  [
    'other calls',
    otlpOf([{ id: 'a', name: 'GET /orders', attributes: { 'http.method': 'GET' } }]),
    [' 1 span ', '(GET /orders)'],
  ],
]

test.for(UNREADABLE)('a file with %s is refused, and named', ([, text, names]) => {
  const read = (): unknown => readTraces(text, 'trace.json')
  expect(read).toThrow(coded('invalid-cassette'))
  for (const name of ['trace.json', ...names]) expect(read).toThrow(name)
})

test('a file that cannot be read says why', async () => {
  const told = UNREADABLE.map(async ([what, text]) => {
    const failure = await failureHeadOf(() => readTraces(text, 'trace.json'))
    return `${what}\n${failure.split('\n').at(-1)}`
  })
  await expectGolden((await Promise.all(told)).join('\n\n'), 'unreadable')
})

test.for<[name: string, attributes: Record<string, string>, setting: RegExp]>([
  [
    'OpenTelemetry',
    { 'gen_ai.operation.name': 'chat' },
    /OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true/,
  ],
  ['OpenInference', { 'openinference.span.kind': 'LLM' }, /OPENINFERENCE_HIDE_INPUTS/],
  ['the AI SDK', { 'ai.operationId': 'ai.generateText.doGenerate' }, /recordInputs: true/],
])('a trace of %s without texts names the setting that keeps them', ([, attributes, setting]) => {
  const read = (): unknown => callsOf(otlpOf([{ id: 'a', attributes }]))
  expect(read).toThrow(coded('invalid-cassette'))
  expect(read).toThrow(setting)
})

test('a trace without texts says what keeps them', async () => {
  const attributes = { 'openinference.span.kind': 'LLM' }
  const failure = await failureOf(() => callsOf(otlpOf([{ id: 'a', attributes }])))
  await expectGolden(failure, 'without-texts')
})

test('thousands of spans are read', () => {
  const spans = Array.from({ length: 3_000 }, (_, index) => ({
    id: `${index}`,
    ...(index % 3 === 0 ? { attributes: chatOf(`Question ${index}`, `Answer ${index}`) } : {}),
  }))
  expect(callsOf(otlpOf(spans))).toHaveLength(1_000)
})
