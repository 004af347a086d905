import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { parseJson, type JsonValue } from '../../src/json/json-value.ts'
import { sortKeys } from '../../src/json/key-order.ts'
import type { StreamEvent } from '../../src/wire/event-stream.ts'
import { jsonOf, readText } from '../../src/wire/body.ts'
import { coded, expectGolden, failureOf, failuresOf } from '../golden.ts'
import { exampleCassette, exampleExchange } from './example-cassette.ts'
import { throughFile } from './through-file.ts'

function requestBodies({ exchanges }: Cassette): JsonValue[] {
  return exchanges.map(({ wire }) =>
    wire!.request.body.kind === 'json' ? sortKeys(wire!.request.body.value) : null,
  )
}

const message = (content: string): JsonValue => ({ role: 'user', content })

test('a cassette comes back from its file as it was', () => {
  const cassette = exampleCassette({ model: 'gpt-5', messages: [message('Hello')] })
  expect(throughFile(cassette).loaded).toEqual(cassette)
})

test('a conversation takes space for each message once', () => {
  const sizes = [10, 20, 40].map((turns) => {
    const messages = Array.from({ length: turns }, (_, turn) =>
      message(`${turn} ${'word '.repeat(200)}`),
    )
    const cassette = exampleCassette(
      ...messages.map((_, turn) => ({ messages: messages.slice(0, turn + 1) })),
    )
    const { loaded, text } = throughFile(cassette)
    expect(requestBodies(loaded)).toEqual(requestBodies(cassette))
    return text.length
  })
  expect(sizes[1]! / sizes[0]!).toBeLessThan(2.1)
  expect(sizes[2]! / sizes[1]!).toBeLessThan(2.1)
})

test('a reviewer sees the new message of an exchange and a reference for the rest', () => {
  const first = [message('one'), message('two')]
  const { text } = throughFile(
    exampleCassette({ messages: first }, { messages: [...first, message('three')] }),
  )
  expect(text).toContain('"$like": "exchange-1"')
  expect(text).toContain('"$items": [0,2]')
  expect(text.match(/"two"/g)).toHaveLength(1)
})

test('long texts that stay the same are stored once', () => {
  const instructions = 'Be kind. '.repeat(100)
  const { text, loaded } = throughFile(
    exampleCassette({ instructions, input: 'a' }, { instructions, input: 'b' }),
  )
  expect(text.split(instructions)).toHaveLength(2)
  expect(requestBodies(loaded)[1]).toEqual({ instructions, input: 'b' })
})

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3_000, 7)])

test('an image becomes a file that a person can open, once however often it is sent', () => {
  const url = `data:image/png;base64,${PNG.toString('base64')}`
  const cassette = exampleCassette({ a: url, b: [url] }, { c: { source: PNG.toString('base64') } })
  const { loaded, text, blobs } = throughFile(cassette)
  expect([...blobs.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.png$/)])
  expect([...blobs.values()][0]!.equals(PNG)).toBe(true)
  expect(text.length).toBeLessThan(4_000)
  expect(requestBodies(loaded)).toEqual(requestBodies(cassette))
})

test(
  'a screenshot of 1 MB in each of 50 turns is a conversation like any other',
  { timeout: 120_000 },
  () => {
    const head = PNG.subarray(0, 16)
    const shots = Array.from({ length: 50 }, (_, turn) =>
      message(Buffer.concat([head, Buffer.alloc(2 ** 20, `picture ${turn} `)]).toString('base64')),
    )
    const cassette = exampleCassette(
      ...shots.map((_, turn) => ({ messages: shots.slice(0, turn + 1) })),
    )
    const { loaded, text, blobs } = throughFile(cassette)
    expect(blobs.size).toBe(50)
    expect(text.length).toBeLessThan(100_000)
    const { messages } = requestBodies(loaded).at(-1) as { messages: JsonValue[] }
    expect(messages).toHaveLength(50)
  },
)

test('a file that differs from the recorded one is refused', async () => {
  const { stored } = encodeCassette(exampleCassette({ a: PNG.toString('base64') }), 'schema.json')
  const decode = () => decodeCassette(stored, () => Buffer.from('another'))
  expect(decode).toThrow(/blobs\/[0-9a-f]{64}\.png/)
  await expectGolden(await failureOf(decode), 'another-blob')
})

test.for(['../../etc/passwd', '/etc/passwd', 'a.png', `${'0'.repeat(64)}.png/../x`])(
  'a blob named %s is refused before anything is read',
  (name) => {
    const cassette = parseCassette(printCassette(encodeCassette(exampleCassette({}), 's').stored))
    const { request, response } = cassette.exchanges[0]!
    const load = (): Buffer => expect.unreachable()
    const decode = (): unknown => decodeCassette(cassette, load)
    for (const body of [{ a: { $file: name } }, [{ $file: name, before: 'data:' }]]) {
      request!.body = body
      expect(decode).toThrow(coded('invalid-cassette'))
      expect(decode).toThrow(name)
    }
    request!.body = {}
    response.sent = { status: 200, headers: {}, file: name }
    expect(decode).toThrow(name)
  },
)

/** Members of a response that are not of the body that they are called after. */
const lookalikes: Array<[sent: object, named: string]> = [
  [{ text: { toString: [] } }, 'array'],
  [{ base64: ['YQ==', 1] }, 'string'],
  [{ file: ['a.png'] }, 'string'],
  [{ body: { $: { toString: [] } } }, '{"toString":[]}'],
  [{ body: { $file: 'a.png' } }, 'a.png'],
  [{ body: { $: 'title' } }, '"title"'],
  [{ body: {}, text: '' }, 'one body'],
  [{ lines: [7] }, 'line'],
  [{ status: 204, text: '' }, 'no body'],
]

function decodeWith(sent: object): unknown {
  const { stored } = encodeCassette(exampleCassette({}), 'schema.json')
  stored.exchanges[0]!.response.sent = { status: 200, headers: {}, ...sent }
  return decodeCassette(parseCassette(printCassette(stored)), () => PNG)
}

test.each(lookalikes)('a body that only looks like one is refused: %j', (sent, named) => {
  expect(() => decodeWith(sent)).toThrow(coded('invalid-cassette'))
  expect(() => decodeWith(sent)).toThrow(named)
  if (named !== 'a.png') expect(() => decodeWith(sent)).toThrow('at /exchanges/0/response')
})

test('each body that only looks like one has a reason', async () => {
  const rows = lookalikes.map(([sent]) => [JSON.stringify(sent), () => decodeWith(sent)] as const)
  await expectGolden(await failuresOf(rows), 'bodies')
})

test('a request whose body refers to a text is refused', () => {
  const { stored } = encodeCassette(exampleCassette({}), 'schema.json')
  stored.exchanges[0]!.request!.body = { $: 'prompt' }
  expect(() => decodeCassette(stored, () => PNG)).toThrow(coded('invalid-cassette'))
})

test('a person can write another response in the place of a recorded one', () => {
  const said = 'The order is on its way to Bern.'
  const cassette = exampleCassette({ messages: [] }, { messages: [message(said)] })
  cassette.exchanges[0]!.response.text = said
  const { stored } = encodeCassette(cassette, 's')
  const [first] = stored.exchanges
  delete first!.response.sent
  first!.response.text = 'Nobody knows where the order is now.'
  const { exchanges } = decodeCassette(stored, () => Buffer.of())
  expect(exchanges[0]!.wire).not.toHaveProperty('response')
  // The requests after it repeat the text.
  expect(exchanges[1]!.wire!.request.body).toMatchObject({
    value: { messages: [message('Nobody knows where the order is now.')] },
  })
})

test('a streamed answer is stored one event per line', () => {
  const cassette = exampleCassette({})
  const events: StreamEvent[] = [
    { data: { text: 'a'.repeat(200) } },
    { event: 'x', data: { n: [1, { b: 2 }] } },
    { data: '[DONE]' },
  ]
  cassette.exchanges = [
    exampleExchange(1, {}, { kind: 'events', events, layout: { eol: '\n', json: {} } }),
  ]
  const { text, loaded } = throughFile(cassette)
  expect(text).toContain(`
            {"text":"${'a'.repeat(200)}"},
            ["x",{"n":[1,{"b":2}]}],
            "[DONE]"
`)
  expect(loaded.exchanges[0]!.wire!.response!.body).toEqual(
    cassette.exchanges[0]!.wire!.response!.body,
  )
})

test('any request body comes back, whatever its keys are called', () => {
  const key = fc.constantFrom(
    '$',
    '$$',
    '$like',
    '$items',
    '$join',
    '$file',
    '$$each',
    '$ref',
    '__proto__',
    'toString',
    'a',
    'messages',
  )
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, true, 1, 'exchange-1', 'long '.repeat(80)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
    ),
  }))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (bodies) => {
      // Through text, as every body arrives: objects then have ordinary prototypes.
      const cassette = exampleCassette(...bodies.map((body) => parseJson(JSON.stringify({ body }))))
      expect(requestBodies(throughFile(cassette).loaded)).toEqual(requestBodies(cassette))
    }),
    { numRuns: 300 },
  )
})

const LINE = 'A line of some words\n'

test.each([
  ['of a word', 'word'],
  ['of several lines', LINE.repeat(10)],
  ['of many lines', LINE.repeat(40)],
  ['of JSON', JSON.stringify({ lines: LINE.repeat(10) })],
  ['that looks like a picture', `data:image/png;base64,${'iVBORw0K'.repeat(200)}`],
])('a request that is one JSON text %s comes back, when it is repeated too', (_, text) => {
  const cassette = exampleCassette({}, {})
  for (const { prompt, wire } of cassette.exchanges) {
    prompt.text = `user: ${text}`
    wire.request.body = readText(JSON.stringify(text))
  }
  const bodies = throughFile(cassette).loaded.exchanges.map(({ wire }) => wire!.request.body)
  expect(bodies.map(jsonOf)).toEqual([text, text])
})

test('any JSON answer comes back, whatever its keys are called', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('$', '$each', '$$join', '$file', 'a'),
      (inner, key) => {
        const value = parseJson(JSON.stringify({ [key]: inner }))
        const cassette = exampleCassette({})
        cassette.exchanges = [exampleExchange(1, {}, { kind: 'json', value, layout: {} })]
        expect(throughFile(cassette).loaded.exchanges[0]!.wire!.response!.body).toEqual({
          kind: 'json',
          value,
          layout: {},
        })
      },
    ),
  )
})
