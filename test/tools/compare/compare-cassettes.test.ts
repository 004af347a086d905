import { expect, test } from 'vitest'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printSealed } from '../../../src/cassette/format.ts'
import { stateOf as stateOfText } from '../../../src/tools/review/git-states.ts'
import { compareCassettes } from '../../../src/tools/compare/compare-cassettes.ts'
import { readText } from '../../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../../src/wire/message.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { stream } from '../../providers/wire.ts'
import { stateOf } from '../review/states.ts'

const HI = question('Hi')
const base = recorded([HI, 'Ho'])

/** The same cassette, whose answer travelled as this message, with these fields beside it. */
function answering(message: JsonObject, beside: JsonObject = {}, asked = {}): Cassette {
  const cassette = recorded([question('Hi', asked), 'Ho'])
  const body = { choices: [{ message, finish_reason: 'stop' }], ...beside }
  cassette.exchanges[0]!.wire!.response!.body = readText(JSON.stringify(body))
  return cassette
}

/** The same cassette, whose exchange something changes. */
function havingIn(change: (exchange: RecordedExchange) => void): Cassette {
  const cassette = structuredClone(base)
  change(cassette.exchanges[0] as RecordedExchange)
  return cassette
}

/** The same cassette, asked at another address, in another way, or with headers. */
function askedAs(request: Partial<WireRequest>): Cassette {
  return havingIn(({ wire }) => Object.assign(wire.request, request))
}

function answeredAs(response: Partial<WireResponse>): Cassette {
  return havingIn(({ wire }) => Object.assign(wire.response, response))
}

/** The same cassette, whose answer was given to another prompt. */
function keeping(cassette: Cassette): Cassette {
  const kept = structuredClone(cassette)
  Object.assign(kept.exchanges[0]!.response, { kept: true })
  return kept
}

function call(order: number): JsonObject {
  const given = { name: 'look_up', arguments: JSON.stringify({ order }) }
  return { content: null, tool_calls: [{ id: 'a', type: 'function', function: given }] }
}

function asking(...messages: JsonObject[]): Cassette {
  return recorded([question('', { messages }), 'Ho'])
}

const user = { role: 'user', content: 'Hi' }
const tools = (description: string) => [
  { type: 'function', function: { name: 'look_up', description } },
]

test.for<[name: string, before: Cassette, after: Cassette, changes: string[]]>([
  ['nothing', base, base, []],
  ['a date', base, { ...base, timestamp: '2027-01-01T00:00:00.000Z' }, ['cassette: unseen']],
  ['the model', base, recorded([question('Hi', { model: 'o3' }), 'Ho']), ['prompt/model: edited']],
  [
    'a parameter that comes',
    base,
    recorded([question('Hi', { temperature: 1 }), 'Ho']),
    ['prompt/temperature: added'],
  ],
  [
    'the description of a tool',
    recorded([question('Hi', { tools: tools('old') }), 'Ho']),
    recorded([question('Hi', { tools: tools('new') }), 'Ho']),
    ['prompt/description: edited'],
  ],
  ['a message', asking(user), asking(user, user), ['prompt/message: added']],
  ['the text of an answer', base, recorded([HI, 'Hum']), ['answer/message: edited']],
  [
    'the argument of a call',
    answering(call(1)),
    answering(call(2)),
    ['answer/arguments.order: edited'],
  ],
  [
    'a field beside the answer',
    answering({ content: 'Ho' }),
    answering({ content: 'Ho' }, { new: 1 }),
    ['answer/new: added'],
  ],
  [
    'a field of the message that no dialect reads',
    answering({ content: 'Ho' }),
    answering({ content: 'Ho', annotations: [1] }),
    ['answer/choices[0].message.annotations[0]: added'],
  ],
  [
    'an answer with very many other fields',
    answering({ content: 'Ho' }),
    answering({ content: 'Ho' }, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
    ['answer: unseen'],
  ],
  [
    'the model that answered',
    answering({ content: 'Ho' }, { model: 'gpt-5-2025-08-07', created: 1 }),
    answering({ content: 'Ho' }, { model: 'gpt-5-2026-01-01', created: 2 }),
    ['answer/model: edited'],
  ],
  [
    'the model that answered otherwise',
    answering({ content: 'Ho' }, { model: 'gpt-5-2025-08-07', new: 1 }),
    answering({ content: 'Hum' }, { model: 'gpt-5-2026-01-01', new: 2 }),
    ['answer/message: edited', 'answer/model: edited'],
  ],
  [
    'the model that was asked, and so answered',
    answering({ content: 'Ho' }, { model: 'gpt-5-2025-08-07' }),
    answering({ content: 'Ho' }, { model: 'o3-2026-01-01' }, { model: 'o3' }),
    ['prompt/model: edited'],
  ],
  [
    'the path of the address',
    askedAs({ url: 'https://api.openai.com/v1/chat/completions' }),
    askedAs({ url: 'https://api.openai.com/v9/chat/completions' }),
    ['prompt/path: edited'],
  ],
  [
    'the host of the address',
    askedAs({ url: 'https://llm.example.com/v1/chat/completions' }),
    askedAs({ url: 'https://llm.example.org/v1/chat/completions' }),
    ['prompt/provider: edited'],
  ],
  [
    'the port of a server here, which does not count, but the path beside it',
    askedAs({ url: 'http://127.0.0.1:4110/v1/chat/completions' }),
    askedAs({ url: 'http://127.0.0.1:4111/v9/chat/completions' }),
    ['prompt/path: edited'],
  ],
  [
    'a query parameter that comes',
    base,
    askedAs({ url: `${base.exchanges[0]!.wire!.request.url}?api-version=2` }),
    ['prompt/query[0]: added'],
  ],
  [
    'the method of a side request',
    askedAs({ method: 'POST', url: 'https://files.example.com/plan.txt' }),
    askedAs({ method: 'PUT', url: 'https://files.example.com/plan.txt' }),
    ['prompt/method: edited'],
  ],
  [
    'a header that counts',
    askedAs({ headers: { 'anthropic-beta': 'a' } }),
    askedAs({ headers: { 'anthropic-beta': 'b' } }),
    ['prompt/header anthropic-beta: edited'],
  ],
  [
    'the MCP server that was asked',
    askedAs({ url: 'mcp://orders' }),
    askedAs({ url: 'mcp://shop' }),
    ['prompt/provider: edited'],
  ],
  [
    'the status of an answer',
    base,
    answeredAs({ status: 404 }),
    ['answer/error: added', 'answer/status: added'],
  ],
  [
    'an answer that broke',
    base,
    answeredAs({ cut: true }),
    ['answer/incomplete: added', 'answer/cut: added'],
  ],
  [
    'an answer for which nobody waited to its end',
    base,
    answeredAs({ aborted: 3 }),
    ['answer/aborted: added'],
  ],
  [
    'a header of an answer',
    base,
    answeredAs({ headers: { 'content-type': 'application/json', 'retry-after': '5' } }),
    ['answer/header retry-after: added'],
  ],
  [
    'an answer that a person wrote with the same words',
    base,
    {
      ...base,
      exchanges: [{ ...base.exchanges[0]!, wire: { request: base.exchanges[0]!.wire!.request } }],
    } as Cassette,
    ['answer/written by hand: added'],
  ],
  [
    'a request of which less counts',
    base,
    askedAs({ imported: { from: 'har', unknown: ['host'] } }),
    ['prompt/imported: added'],
  ],
  ['the mark of a kept answer', base, keeping(base), ['answer/kept: added']],
  ['a mark that is gone', keeping(base), base, ['answer/kept: removed']],
  [
    'an exchange at the end',
    base,
    recorded([HI, 'Ho'], [question('More?'), 'No']),
    ['exchange: added'],
  ],
  [
    'an exchange in the middle',
    recorded([HI, 'Ho'], [question('More?'), 'No'], [question('Done?'), 'Yes']),
    recorded([HI, 'Ho'], [question('Done?'), 'Yes']),
    ['exchange: removed'],
  ],
  [
    'a mark that it is invalid',
    base,
    { ...base, invalid: { reason: 'wrong', since: '2026-01-01T00:00:00.000Z' } as never },
    ['cassette/invalid: added'],
  ],
])('%s that is another one is named', ([, before, after, changes]) => {
  const found = compareCassettes({
    name: 'a.json',
    before: stateOf(before),
    after: stateOf(after),
  }).changes
  expect(
    found.map(({ kind, place: { of, inside } }) => {
      const where = inside && (inside.path || inside.area)
      return `${of}${where ? `/${where}` : ''}: ${kind}`
    }),
  ).toEqual(changes)
})

test('an id in a path is made up anew in each recording, and is no change', () => {
  const polling = (id: string): Cassette => {
    const cassette = recorded([HI, 'Ho'], [HI, 'Ho'])
    const [first, second] = cassette.exchanges as RecordedExchange[]
    first!.wire.response.body = readText(JSON.stringify({ id, status: 'queued' }))
    second!.wire.request = {
      method: 'GET',
      url: `https://api.openai.com/v1/responses/${id}`,
      body: { kind: 'empty' },
    }
    return cassette
  }
  const between = (before: Cassette, after: Cassette): string[] =>
    compareCassettes({
      name: 'a.json',
      before: stateOf(before),
      after: stateOf(after),
    }).changes.flatMap(({ place: { of, inside } }) => (of === 'prompt' ? (inside?.path ?? '') : []))
  expect(between(polling('resp_0123456789'), polling('resp_9876543210'))).not.toContain('path')
  const elsewhere = polling('resp_0123456789')
  elsewhere.exchanges[1]!.wire!.request.url = 'https://api.openai.com/v1/responses/resp_0000000001'
  expect(between(polling('resp_0123456789'), elsewhere)).toContain('path')
})

test('a file that was edited says so, even where what it shows is what was there', () => {
  const { stored } = encodeCassette(base, 'schema.json')
  const whole = printSealed(stored)
  const edited = whole.replace('"Ho"', '"Hum"')
  const { changes } = compareCassettes({
    name: 'a.json',
    before: stateOfText(Buffer.from(whole), () => Buffer.of()),
    after: stateOfText(Buffer.from(edited), () => Buffer.of()),
  })
  expect(changes.map(({ place: { inside } }) => inside?.path)).toContain('edited by hand')
})

test.each([
  [
    'chat completions',
    '/v1/chat/completions',
    (model: string) => stream(`data: ${JSON.stringify({ model, choices: [] })}\n\n`),
    'model',
  ],
  [
    'responses',
    '/v1/responses',
    (model: string) =>
      stream(
        ...['response.created', 'response.completed'].map(
          (type) => `event: ${type}\ndata: ${JSON.stringify({ type, response: { model } })}\n\n`,
        ),
      ),
    'response.model',
  ],
])('the model that answered in a stream of %s is one change', (_, path, answer, name) => {
  const streaming = (model: string): Cassette => {
    const cassette = structuredClone(base)
    const { wire } = cassette.exchanges[0]!
    wire!.request.url = `https://api.openai.com${path}`
    const messages = [{ role: 'user', content: 'Hi' }]
    wire!.request.body = readText(JSON.stringify({ model: 'gpt-5', messages, input: messages }))
    wire!.response = answer(model)
    return cassette
  }
  const { changes } = compareCassettes({
    name: 'a.json',
    before: stateOf(streaming('gpt-5-2025-08-07')),
    after: stateOf(streaming('gpt-5-2026-01-01')),
  })
  expect(changes).toMatchObject([
    {
      kind: 'edited',
      place: { of: 'answer', inside: { path: name } },
      before: { value: 'gpt-5-2025-08-07' },
      after: { value: 'gpt-5-2026-01-01' },
    },
  ])
})

test('an answer that a person edited is one change: later prompts repeat what was recorded', () => {
  const history = [user, { role: 'assistant', content: 'Ho' }, { role: 'user', content: 'More?' }]
  const before = recorded([HI, 'Ho'], [question('', { messages: history }), 'No'])
  const [first, second] = before.exchanges
  const edited = { ...first!, response: { text: 'Hum' }, wire: { request: first!.wire!.request } }
  const after: Cassette = { ...before, exchanges: [edited, second!] as Cassette['exchanges'] }
  const { changes } = compareCassettes({
    name: 'a.json',
    before: stateOf(before),
    after: stateOf(after),
  })
  expect(changes.map(({ place: { of, exchange } }) => `${of} ${exchange}`)).toContain('answer 1')
  expect(changes.filter(({ place: { of } }) => of !== 'answer')).toEqual([])
})

test('a result that answers another call is named, though the call stands in an earlier exchange', () => {
  const calls = ['a', 'b'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'look_up', arguments: JSON.stringify({ order: id }) },
  }))
  const called = { role: 'assistant', content: null, tool_calls: calls }
  const results = (first: string, second: string): JsonObject[] => [
    { role: 'tool', tool_call_id: first, content: 'found' },
    { role: 'tool', tool_call_id: second, content: 'lost' },
  ]
  const answering = (first: string, second: string): Cassette => {
    const messages = [user, called, ...results(first, second)]
    const cassette = recorded([HI, 'Ho'], [question('', { messages }), 'Done'])
    const body = { choices: [{ message: called, finish_reason: 'tool_calls' }] }
    cassette.exchanges[0]!.wire!.response!.body = readText(JSON.stringify(body))
    return cassette
  }
  const { changes } = compareCassettes({
    name: 'a.json',
    before: stateOf(answering('a', 'b')),
    after: stateOf(answering('b', 'a')),
  })
  expect(
    changes.map(({ place: { of, exchange, inside } }) => [of, exchange, inside?.path]),
  ).toEqual([
    ['prompt', 2, 'answered call'],
    ['prompt', 2, 'answered call'],
  ])
})

test('a new cassette and one that is gone say all that was asked and answered', () => {
  const added = compareCassettes({ name: 'a.json', after: stateOf(base) })
  expect(added).toMatchObject({
    title: 'a.test.ts > asks',
    changes: [{ kind: 'added', after: { text: 'user: Hi\nanswer: Ho' } }],
  })
  const gone = compareCassettes({ name: 'a.json', before: stateOf(base) })
  expect(gone.changes).toMatchObject([
    { kind: 'removed', before: { text: 'user: Hi\nanswer: Ho' } },
  ])
})

test('what both states took is added up', () => {
  const usage = (completion_tokens: number) =>
    answering({ content: 'Ho' }, { usage: { prompt_tokens: 10, completion_tokens } })
  const { took } = compareCassettes({
    name: 'a.json',
    before: stateOf(usage(5)),
    after: stateOf(usage(7)),
  })
  expect([took.before.outputTokens, took.after.outputTokens]).toEqual([5, 7])
})
