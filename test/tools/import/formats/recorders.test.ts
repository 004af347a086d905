import { expect, test } from 'vitest'
import { expectGolden } from '../../../golden.ts'
import { foreignFolder, pieces, readOne, received, sent } from '../foreign-folder.ts'
import { leftOutAs, listOf } from '../left-out.ts'
import { headOf } from '../reasons.ts'
import { ASKED, CHAT, SAID, SAMPLES } from '../samples.ts'

function sampleOf<Content>(format: string): Content {
  return SAMPLES.find((sample) => sample.format === format)!.content as Content
}

const JSON_HEADERS = { 'content-type': 'application/json' }

interface Mastra {
  meta: Record<string, unknown>
  recordings: [
    { hash: string; request: Record<string, unknown>; response: Record<string, unknown> },
  ]
}

function mastraOf(request: object, response: object = {}): unknown {
  const { meta, recordings } = sampleOf<Mastra>('mastra')
  const [recorded] = recordings
  return {
    meta,
    recordings: [
      {
        ...recorded,
        request: { ...recorded.request, ...request },
        response: { ...recorded.response, ...response },
      },
    ],
  }
}

test("Mastra's names its test, and has no headers of requests", () => {
  const recording = readOne(sampleOf('mastra'))
  expect(recording).toMatchObject({ name: 'hello', testFile: 'test/a.test.ts' })
  const [exchange] = recording.exchanges
  expect(exchange).toMatchObject({
    time: '2026-01-01T10:00:00.000Z',
    request: { method: 'POST', url: CHAT, isRespelled: true },
  })
  expect(exchange!.request.headers).toBeUndefined()
  expect([sent(exchange!), received(exchange!)]).toEqual([
    JSON.stringify(ASKED),
    JSON.stringify(SAID),
  ])
})

test("chunks of Mastra's are put together and cut at their events", () => {
  const chunks = ['data: {"a"', ':1}\n', '\ndata: 2\n\n']
  const [exchange] = readOne(
    mastraOf({}, { body: undefined, chunks, chunkTimings: [5, 1, 2], isStreaming: true }),
  ).exchanges
  expect(pieces(exchange!)).toEqual(['data: {"a":1}\n\n', 'data: 2\n\n'])
  expect(exchange!.durationMs).toBe(8)
})

test("of a body that is no JSON, Mastra's has nothing or a file", () => {
  const [lost] = readOne(mastraOf({ body: {} })).exchanges
  expect(lost!.request.body).toBeUndefined()
  const folder = foreignFolder({
    'a.json': mastraOf({ body: { file: 'files/a.bin', contentType: 'multipart/form-data' } }),
    'files/a.bin': 'a form',
  })
  const { recordings, unread } = folder.read()
  expect([sent(recordings[0]!.exchanges[0]!), unread]).toEqual(['a form', []])
})

test("the older form of Mastra's is a list", () => {
  const recording = readOne(sampleOf<Mastra>('mastra').recordings)
  expect([recording.format, recording.exchanges.length, recording.name]).toEqual([
    'mastra',
    1,
    undefined,
  ])
})

interface Braintrust {
  entries: [{ request: Record<string, unknown>; response: Record<string, unknown> }]
}

function braintrustOf(request: object, response: object): unknown {
  const sample = sampleOf<Braintrust>('braintrust')
  const [entry] = sample.entries
  return {
    ...sample,
    entries: [
      {
        ...entry,
        request: { ...entry.request, body: request },
        response: { ...entry.response, body: response },
      },
    ],
  }
}

test("Braintrust's bodies have kinds", () => {
  const bodies = (request: object, response: object): unknown[] => {
    const [exchange] = readOne(braintrustOf(request, response)).exchanges
    return [sent(exchange!), exchange!.request.isRespelled ?? false, received(exchange!)]
  }
  expect(bodies({ kind: 'json', value: [1] }, { kind: 'text', value: 'a' })).toEqual([
    '[1]',
    true,
    'a',
  ])
  expect(bodies({ kind: 'empty' }, { kind: 'base64', value: 'AAE=' })).toEqual([
    '',
    false,
    '\0\x01',
  ])
  const [stream] = readOne(
    braintrustOf({ kind: 'json', value: null }, { kind: 'sse', chunks: ['data: 1', 'data: 2'] }),
  ).exchanges
  expect([sent(stream!), ...pieces(stream!)]).toEqual(['null', 'data: 1\n\n', 'data: 2\n\n'])
})

test("Braintrust's blobs are files beside, or are counted", async () => {
  const blob = { kind: 'binary', path: 'a.cassette.blobs/0123', contentType: 'a/b' }
  const folder = foreignFolder({
    'a.cassette.json': braintrustOf(blob, blob),
    'a.cassette.blobs/0123': '{"object":"response"}',
    'b/b.cassette.json': braintrustOf(blob, { kind: 'empty' }),
    'c/c.cassette.json': braintrustOf({ kind: 'empty' }, blob),
  })
  const { recordings, unread } = folder.read()
  expect(unread).toEqual([])
  const [whole, asked, answered] = recordings
  expect([sent(whole!.exchanges[0]!), received(whole!.exchanges[0]!)]).toEqual([
    '{"object":"response"}',
    '{"object":"response"}',
  ])
  expect(asked!.exchanges[0]!.request.body).toBeUndefined()
  expect([...asked!.leftOut.values()]).toEqual([1])
  await expectGolden(listOf(asked!.leftOut), 'left-out-of-blobs')
  expect(answered!.exchanges).toEqual([])
  expect([...answered!.leftOut.keys()]).toEqual([leftOutAs('body in no file')])
})

test('a kind of body that there is not is named', async () => {
  const { unread } = foreignFolder({
    'a.json': braintrustOf({ kind: 'new' }, { kind: 'empty' }),
  }).read()
  expect(unread[0]!.reason).toContain(' /entries/0/request/body/kind,')
  expect(unread[0]!.reason).toContain('"new"')
  await expectGolden(headOf(unread[0]!.reason), 'kind-of-body')
})

interface Snapshot {
  hash: string
  snapshot: { request: Record<string, unknown>; responses: Array<Record<string, unknown>> }
}

function snapshotOf(request: object): unknown {
  const [one] = sampleOf<[Snapshot]>('undici')
  return [
    { ...one, snapshot: { ...one.snapshot, request: { ...one.snapshot.request, ...request } } },
  ]
}

test("each answer of undici's is an exchange", () => {
  const [{ snapshot }] = sampleOf<[Snapshot]>('undici')
  const second = { statusCode: 429, headers: {}, body: Buffer.from('later').toString('base64') }
  const responses = [...snapshot.responses, second]
  const { exchanges } = readOne([{ hash: 'h', snapshot: { ...snapshot, responses } }])
  expect(exchanges.map(({ response }) => response.status)).toEqual([200, 429])
  expect(exchanges.map(received)).toEqual([JSON.stringify(SAID), 'later'])
  expect(exchanges.map(sent)).toEqual([JSON.stringify(ASKED), JSON.stringify(ASKED)])
})

test('a body that undici did not keep is absent', () => {
  const bodyOf = (request: object): string | undefined =>
    sent(readOne(snapshotOf(request)).exchanges[0]!)
  expect(bodyOf({ body: '[object AsyncGenerator]' })).toBeUndefined()
  expect(bodyOf({ body: '' })).toBeUndefined()
  expect(bodyOf({ body: '', headers: { 'content-length': '0' } })).toBe('')
  expect(bodyOf({ body: '', method: 'GET' })).toBe('')
  expect(bodyOf({ body: undefined, method: 'GET' })).toBe('')
})

test('bytes that undici spelled as numbers are bytes', () => {
  const spelled = (body: string, length: string): string | undefined =>
    sent(readOne(snapshotOf({ body, headers: { 'content-length': length } })).exchanges[0]!)
  expect(spelled('104,105', '2')).toBe('hi')
  expect(spelled('104,105', '7')).toBe('104,105')
  expect(spelled('7', '1')).toBe('\x07')
})

test("the older form of undici's is an object by hash, with one answer", () => {
  const [{ snapshot }] = sampleOf<[Snapshot]>('undici')
  const { responses, ...others } = snapshot
  const { format, exchanges } = readOne({ abc: { ...others, response: responses[0] } })
  expect([format, exchanges.length]).toEqual(['undici', 1])
})

interface Expectation {
  httpRequest: Record<string, unknown>
  httpResponse: Record<string, unknown>
}

function expectationOf(request: object, others: object = {}): unknown {
  const sample = sampleOf<Expectation>('mockserver')
  return { ...sample, httpRequest: { ...sample.httpRequest, ...request }, ...others }
}

test("MockServer's has paths without hosts, and the bytes of bodies", () => {
  const [exchange] = readOne(sampleOf('mockserver')).exchanges
  expect(exchange!.request).toMatchObject({ method: 'POST', url: '/v1/chat/completions' })
  expect(exchange!.request.isRespelled).toBeUndefined()
  expect(exchange!.request.rules).toBeUndefined()
  expect([sent(exchange!), received(exchange!)]).toEqual([
    JSON.stringify(ASKED),
    JSON.stringify(SAID),
  ])
})

test('a host is in the id, or in a header', () => {
  const urlOf = (request: object, others: object = {}): string | undefined =>
    readOne(expectationOf(request, others)).exchanges[0]!.request.url
  const query = { method: 'GET', path: '/', queryStringParameters: { q: ['a b'] }, body: undefined }
  expect(urlOf(query, { id: '1766396516877-s.example.ai-GET-_-a3cb871f.json' })).toBe(
    'https://s.example.ai/?q=a+b',
  )
  expect(urlOf({ headers: { Host: ['a.example'] } })).toBe('https://a.example/v1/chat/completions')
})

test('rules are told, and are no request', () => {
  const partly = { type: 'JSON', json: { model: 'gpt-x' } }
  const [one] = readOne(
    expectationOf({ body: partly, headers: [{ name: 'a', values: ['b'] }] }),
  ).exchanges
  expect(one!.request.body).toBeUndefined()
  expect(one!.request.rules).toBe(JSON.stringify({ body: partly }))
  expect(one!.request.headers).toEqual([['a', 'b']])
  const path = { not: true, value: '/a' }
  const [other] = readOne(expectationOf({ path, body: 'all of it' })).exchanges
  expect(other!.request).toMatchObject({ rules: JSON.stringify({ path }) })
  expect([other!.request.url, sent(other!)]).toEqual([undefined, 'all of it'])
})

test('expectations that do something else are counted', async () => {
  const { httpRequest } = sampleOf<Expectation>('mockserver')
  const { exchanges, leftOut } = readOne([
    { httpRequest, httpForward: { host: 'a.example' } },
    { httpRequest, httpResponse: { body: { a: 1 } } },
  ])
  expect(exchanges.map(received)).toEqual(['{"a":1}'])
  expect([...leftOut.values()]).toEqual([1])
  await expectGolden(listOf(leftOut), 'left-out-of-expectations')
})

test('several answers of an expectation are as many exchanges', async () => {
  const httpResponses = [{ body: 'first' }, { statusCode: 429, body: 'second' }]
  const answers = (more: object) =>
    readOne(expectationOf({}, { httpResponse: undefined, httpResponses, ...more }))
  const { exchanges, leftOut } = answers({ responseMode: 'SEQUENTIAL' })
  expect(exchanges.map((one) => [one.response.status, received(one)])).toEqual([
    [200, 'first'],
    [429, 'second'],
  ])
  expect(leftOut).toEqual(new Map())
  const random = answers({ responseMode: 'RANDOM' })
  expect([random.exchanges.length, ...random.leftOut.values()]).toEqual([2, 1])
  await expectGolden(listOf(random.leftOut), 'left-out-of-random-answers')
})

test('events of MockServer are spelled as its server does', () => {
  const events = [{ event: 'delta', id: '1', data: '{"a":1}' }, { data: 'two\nlines' }]
  const [exchange] = readOne(
    expectationOf({}, { httpResponse: undefined, httpSseResponse: { events } }),
  ).exchanges
  expect(exchange!.response.headers).toEqual([['content-type', 'text/event-stream']])
  expect(pieces(exchange!)).toEqual([
    'id: 1\nevent: delta\ndata: {"a":1}\n\n',
    'data: two\ndata: lines\n\n',
  ])
})

test('the type of an answer of MockServer can stand at its body, and a file of its server is not there', async () => {
  const answer = (body: unknown) => readOne(expectationOf({}, { httpResponse: { body } }))
  const speech = { type: 'BINARY', base64Bytes: '//sA', contentType: 'audio/mpeg' }
  expect(answer(speech).exchanges[0]!.response.headers).toEqual([['content-type', 'audio/mpeg']])
  expect(answer({ a: 1 }).exchanges[0]!.response.headers).toEqual([
    ['content-type', 'application/json'],
  ])
  const elsewhere = answer({ type: 'FILE', filePath: 'a.json' })
  expect([elsewhere.exchanges.length, ...elsewhere.leftOut.values()]).toEqual([0, 1])
  await expectGolden(listOf(elsewhere.leftOut), 'left-out-of-files')
})

test('what a body must not be is a rule', () => {
  const [exchange] = readOne(
    expectationOf({ body: { not: true, type: 'STRING', string: 'x' } }),
  ).exchanges
  expect([exchange!.request.body, exchange!.request.rules]).toEqual([
    undefined,
    '{"body":{"not":true,"type":"STRING","string":"x"}}',
  ])
})

test('headers that say nothing are as good as none', () => {
  const { exchanges } = readOne(sampleOf('braintrust'))
  expect(exchanges[0]!.request.headers).toBeUndefined()
  expect(exchanges[0]!.response.headers).toEqual(Object.entries(JSON_HEADERS))
})
