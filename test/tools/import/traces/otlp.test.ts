import { expect, test } from 'vitest'
import { isTrace } from '../../../../src/tools/import/traces/read-traces.ts'
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

test.for<[text: string, says: RegExp]>([
  ['', /trace\.json cannot be read: it is empty/],
  ['{"a":1}', /trace\.json cannot be read: it is no trace/],
  [`${otlpOf([])}\nnonsense`, /line 2 is no JSON: "nonsense"/],
  ['{"resourceSpans":1}', /resourceSpans cannot be read: a list is expected, and there is 1/],
  [
    '{"resourceSpans":["x"]}',
    /resourceSpans\[0\] cannot be read: an object is expected, and there is "x"/,
  ],
  [fileOf({ spanId: undefined }), /span 1 cannot be read: it has no spanId or no traceId/],
  [fileOf({ spanId: 7 }), /an id is expected, and there is 7/],
  [fileOf({ startTimeUnixNano: 'noon' }), /a time is expected, and there is "noon"/],
  [
    fileOf({ attributes: { a: 1 } }),
    /its attributes cannot be read: a list is expected, and there is an object/,
  ],
  [
    fileOf({ attributes: [{ key: 'n', value: { intValue: 'many' } }] }),
    /n cannot be read: an integer is expected, and there is "many"/,
  ],
  [
    fileOf({ attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.request.model': 7 }) }),
    /a text is expected in gen_ai\.request\.model, and there is 7/,
  ],
  [
    fileOf({
      attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.usage.input_tokens': 'many' }),
    }),
    /a number is expected in gen_ai\.usage\.input_tokens, and there is "many"/,
  ],
  [
    fileOf({
      attributes: attributesOf({ ...chatOf('Hi', 'Hello'), 'gen_ai.tool.definitions': 'none' }),
    }),
    /JSON is expected in gen_ai\.tool\.definitions, and there is "none"/,
  ],
  [
    otlpOf([{ id: 'a', name: 'GET /orders', attributes: { 'http.method': 'GET' } }]),
    /none of its 1 span is the call of a model \(GET \/orders\)/,
  ],
])('a file that cannot be read says why: %#', ([text, says]) => {
  const read = (): unknown => readTraces(text, 'trace.json')
  expect(read).toThrow(says)
  expect(read).toThrow(expect.objectContaining({ code: 'invalid-cassette' }))
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
  expect(() => callsOf(otlpOf([{ id: 'a', attributes }]))).toThrow(setting)
})

test('thousands of spans are read', () => {
  const spans = Array.from({ length: 3_000 }, (_, index) => ({
    id: `${index}`,
    ...(index % 3 === 0 ? { attributes: chatOf(`Question ${index}`, `Answer ${index}`) } : {}),
  }))
  expect(callsOf(otlpOf(spans))).toHaveLength(1_000)
})
