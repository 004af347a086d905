import { expect, test } from 'vitest'
import { PriceTable } from '../../../src/conversation/cost.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { makeTraceCassette } from '../../../src/tools/import/traces/make-trace-cassette.ts'
import { askingOf, type Question, readQuestions } from '../../../src/tools/rehearse/questions.ts'
import { jsonOf } from '../../../src/wire/body.ts'
import { expectGolden } from '../../golden.ts'
import { chatOf, otlpOf, traceOf, type WrittenSpan } from '../import/traces/spans.ts'

type Said = JsonObject & { role: string }

const user = (content: string): Said => ({ role: 'user', parts: [{ type: 'text', content }] })
const calls = (...names: string[]): Said => ({
  role: 'assistant',
  parts: names.map((name) => ({ type: 'tool_call', id: `c-${name}`, name, arguments: { of: 7 } })),
})
const results = (...names: string[]): Said => ({
  role: 'tool',
  parts: names.map((name) => ({
    type: 'tool_call_response',
    id: `c-${name}`,
    response: `done ${name}`,
  })),
})

const TOOLS = JSON.stringify(
  ['look', 'pay'].map((name) => ({
    type: 'function',
    name,
    description: 'A tool.',
    parameters: { type: 'object', properties: { of: { type: 'number' } } },
  })),
)

function call(said: Said[], answer: string | JsonValue[], more: JsonObject = {}): WrittenSpan {
  const id = `s${said.length}`
  return { id, attributes: chatOf(said, answer, { 'gen_ai.tool.definitions': TOOLS, ...more }) }
}

function readOf(spans: WrittenSpan[]): ReturnType<typeof readQuestions> {
  const making = { env: {}, redact: [], now: new Date('2026-06-01T00:00:00Z') }
  const { cassette } = makeTraceCassette(traceOf(otlpOf(spans)), 'a.test.ts > asks', making)
  return readQuestions('a.json', cassette, new PriceTable())
}

function bodyFor(question: Question, model: string): JsonValue | undefined {
  const asking = askingOf(question, new Map([['*', model]]))
  if ('why' in asking) throw new Error(asking.why)
  return jsonOf(asking.request.body)
}

test('a later prompt is asked with all that was said before, and calls of one answer stay one answer', () => {
  const both = calls('look', 'pay')
  const { questions, leftOut } = readOf([
    call([user('Refund it')], both.parts as JsonValue[]),
    call([user('Refund it'), both, results('look', 'pay')], 'It is done.', {
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 200,
    }),
  ])
  expect(leftOut).toEqual([])
  expect(questions[1]!.without).toEqual(['instructions'])
  expect(bodyFor(questions[1]!, 'gpt-6')).toMatchObject({
    model: 'gpt-6',
    temperature: 0.5,
    max_completion_tokens: 200,
    tools: [{ function: { name: 'look' } }, { function: { name: 'pay' } }],
    messages: [
      { role: 'user', content: 'Refund it' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'done look' },
      { role: 'tool', tool_call_id: 'call_2', content: 'done pay' },
    ],
  })
  expect(bodyFor(questions[1]!, 'claude-9')).toMatchObject({
    model: 'claude-9',
    max_tokens: 200,
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use' }, { type: 'tool_use' }] },
      { role: 'user', content: [{ type: 'tool_result' }, { type: 'tool_result' }] },
    ],
  })
})

const without = (name: string): JsonObject => ({ [name]: '' })

const LEFT_OUT: Array<[what: string, span: WrittenSpan, names: string]> = [
  ['no messages', call([], 'Ho.', without('gen_ai.input.messages')), ''],
  ['no answer', call([user('Hi')], [], without('gen_ai.output.messages')), ''],
  ['a call without its result', call([user('Hi'), calls('pay'), user('And now?')], 'Ho.'), 'pay'],
  [
    'calls of tools that it does not tell',
    call([user('Hi')], calls('pay').parts as JsonValue[], without('gen_ai.tool.definitions')),
    '',
  ],
  [
    'tools by their names',
    call([user('Hi')], 'Ho.', { 'gen_ai.tool.definitions': '[{"type":"function","name":"pay"}]' }),
    'pay',
  ],
  ['a cut text', call([user('It was a long [truncated]')], 'Ho.'), ''],
  [
    'a picture',
    call(
      [{ role: 'user', parts: [{ type: 'uri', uri: 'https://example.com/a.png' }] }, user('See?')],
      'Ho.',
    ),
    '',
  ],
  [
    'an error',
    {
      id: 'a',
      error: 'Too many requests',
      attributes: { ...chatOf([user('Hi')], ''), 'gen_ai.output.messages': '' },
    },
    '',
  ],
]

test.for(LEFT_OUT)('%s is not asked, and says why', ([, span, names]) => {
  const { questions, leftOut } = readOf([span])
  expect(questions).toEqual([])
  expect(leftOut).toMatchObject([{ why: expect.stringContaining(names) }])
})

test('each reason not to ask is said in its own words', async () => {
  const texts = LEFT_OUT.map(([what, span]) => `${what}\n${readOf([span]).leftOut[0]!.why}`)
  await expectGolden(texts.join('\n\n'), 'left-out')
})

test('only a model that the user names is asked', async () => {
  const [question] = readOf([call([user('Hi')], 'Ho.')]).questions
  const unasked = askingOf(question!, new Map()) as { why: string }
  expect(unasked).not.toHaveProperty('request')
  await expectGolden(unasked.why, 'no-model')
  expect(askingOf(question!, new Map([['gpt-8', 'gpt-6']]))).toMatchObject({ why: unasked.why })
  expect(askingOf(question!, new Map([['gpt-9', 'gpt-9']]))).toMatchObject({
    request: { url: 'https://api.openai.com/v1/chat/completions' },
  })
})
