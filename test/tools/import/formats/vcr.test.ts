import { gzipSync, brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { expectGolden } from '../../../golden.ts'
import { foreignFolder, pieces, readOne, received, sent } from '../foreign-folder.ts'
import { listOf } from '../left-out.ts'
import { headOf } from '../reasons.ts'
import { CHAT } from '../samples.ts'

function yaml(...lines: string[]): string {
  return `${lines.join('\n')}\n`
}

/** A cassette of vcrpy with one exchange. */
function vcrpy(request: string[], response: string[]): string {
  const status = ['    status:', '      code: 200', '      message: OK']
  return yaml(
    'interactions:',
    '- request:',
    '    method: POST',
    `    uri: ${CHAT}`,
    ...request.map((line) => `    ${line}`),
    '  response:',
    ...response.map((line) => `    ${line}`),
    ...status,
    'version: 1',
  )
}

const SAID = ['headers: {}', 'body:', '  string: said']

test("vcrpy's bodies are texts", () => {
  const [exchange] = readOne(
    vcrpy(
      [`body: '{"a": "it''s", "b":`, `  1}'`, 'headers:', '  Accept:', "  - '*/*'"],
      ['headers:', '  CF-RAY:', '  - 9e10', 'body:', '  string: \'{"id": 1}\''],
    ),
    'a.yaml',
  ).exchanges
  expect(exchange).toMatchObject({
    request: { method: 'POST', url: CHAT, headers: [['Accept', '*/*']] },
    response: { status: 200, headers: [['CF-RAY', '9e10']] },
  })
  expect([sent(exchange!), received(exchange!)]).toEqual(['{"a": "it\'s", "b": 1}', '{"id": 1}'])
  expect(exchange!.request.isRespelled).toBeUndefined()
})

test('binary bodies are unpacked, and values of headers can be binary', () => {
  for (const packed of [gzipSync('{"id":1}'), brotliCompressSync('{"id":1}')]) {
    const [exchange] = readOne(
      vcrpy(
        ['body: null', 'headers:', '  accept:', '  - !!binary |', '    YXBwbGljYXRpb24vanNvbg=='],
        ['headers: {}', 'body:', '  string: !!binary |', `    ${packed.toString('base64')}`],
      ),
      'a.yaml',
    ).exchanges
    expect([sent(exchange!), received(exchange!)]).toEqual(['', '{"id":1}'])
    expect(exchange!.request.headers).toEqual([['accept', 'application/json']])
  }
})

test('a parsed body is spelled anew; what looks like a number to other libraries stays a text', () => {
  const [exchange] = readOne(
    vcrpy(
      [
        'headers: {}',
        'parsed_body:',
        '  id: 12e34',
        '  no: no',
        '  at: 2026-01-01',
        '  time: 12:30:45',
        '  octal: 0o17',
        '  count: 5',
        '  exact: 12345678901234567890',
        '  ratio: -0.5',
        '  small: 1.0e-05',
        "  quoted: '5'",
        '  yes: true',
        '  none: null',
        '  empty:',
      ],
      ['headers: {}', 'parsed_body: {}'],
    ),
    'a.yaml',
  ).exchanges
  expect(exchange!.request.isRespelled).toBe(true)
  expect(sent(exchange!)).toBe(
    '{"id":"12e34","no":"no","at":"2026-01-01","time":"12:30:45","octal":"0o17","count":5,' +
      '"exact":12345678901234567890,"ratio":-0.5,"small":0.00001,"quoted":"5","yes":true,' +
      '"none":null,"empty":null}',
  )
})

test('a stream has its events', () => {
  const [exchange] = readOne(
    vcrpy(
      ['body: ""'],
      ['headers: {}', 'body:', String.raw`  string: "data: {\"a\": 1}\n\ndata: [DONE]\n\n"`],
    ),
    'a.yaml',
  ).exchanges
  expect(pieces(exchange!)).toEqual(['data: {"a": 1}\n\n', 'data: [DONE]\n\n'])
})

test('objects of Python are data: names of headers, streams of bytes', () => {
  const [exchange] = readOne(
    vcrpy(
      [
        'body: !!python/object/new:_io.BytesIO',
        '  state: !!python/tuple',
        '  - !!binary |',
        `    ${Buffer.from('sent').toString('base64')}`,
        '  - 0',
        '  - null',
        'headers:',
        '  ? !!python/object/apply:multidict._multidict.istr',
        '  - Accept',
        '  : - a/b',
        '  ? !!python/object/apply:multidict._multidict.istr',
        '  - X-Other',
        '  : - !!python/unicode c',
      ],
      SAID,
    ),
    'a.yaml',
  ).exchanges
  expect(sent(exchange!)).toBe('sent')
  expect(exchange!.request.headers).toEqual([
    ['Accept', 'a/b'],
    ['X-Other', 'c'],
  ])
})

test('a body that is an object of Python otherwise is not known', async () => {
  const { exchanges, leftOut } = readOne(
    vcrpy(['body: !!python/object:some.Stream', '  fields: {}'], SAID),
    'a.yaml',
  )
  expect(exchanges[0]!.request.body).toBeUndefined()
  expect([...leftOut.values()]).toEqual([1])
  await expectGolden(listOf(leftOut), 'left-out-of-objects')
})

test("vcrpy's answers for httpx have a content and a number as their status", () => {
  const text = yaml(
    'interactions:',
    '- request: {body: "", headers: {}, method: GET, uri: "https://a.example/"}',
    '  response:',
    '    content: said',
    '    headers: {}',
    '    http_version: HTTP/1.1',
    '    status_code: 404',
    'version: 1',
  )
  const [exchange] = readOne(text, 'a.yaml').exchanges
  expect([exchange!.response.status, received(exchange!)]).toEqual([404, 'said'])
})

test("Ruby's has times, symbols as methods, binary in two ways, and marks for what is hidden", () => {
  const text = yaml(
    '---',
    'http_interactions:',
    '- request:',
    '    method: :post',
    '    uri: https://bedrock-runtime.<AWS_REGION>.amazonaws.com/model/m/converse',
    '    body:',
    '      encoding: UTF-8',
    '      string: \'{"a":"<MASSIVE_TEXT>","b":"<TAG> is in <A_TAG>it</A_TAG>"}\'',
    '    headers:',
    '      Authorization:',
    '      - Bearer <OPENAI_ACCESS_TOKEN>',
    '  response:',
    '    status:',
    '      code: 200',
    '      message: OK',
    '    headers:',
    '      Content-Type:',
    '      - audio/mpeg',
    '    body:',
    '      encoding: ASCII-8BIT',
    '      string: !binary |-',
    '        AAH/',
    '    http_version:',
    '  recorded_at: Tue, 14 Nov 2023 22:36:02 GMT',
    '- request:',
    '    method: post',
    '    uri: https://a.example/',
    '    body: {encoding: US-ASCII, base64_string: "c2VudA=="}',
    '    headers: {}',
    '  response:',
    '    status: {code: 200}',
    '    headers: {}',
    '    body: {encoding: US-ASCII, string: }',
    'recorded_with: VCR 6.2.0',
  )
  const [one, other] = readOne(text, 'a.yml').exchanges
  expect(one).toMatchObject({
    time: '2023-11-14T22:36:02.000Z',
    request: { method: 'POST', redacted: ['<AWS_REGION>', '<MASSIVE_TEXT>'] },
  })
  expect(one!.response.body).toEqual(Buffer.from([0, 1, 0xff]))
  expect([sent(other!), received(other!)]).toEqual(['sent', ''])
})

test("Go's has codes, durations and texts as statuses", () => {
  const text = yaml(
    '---',
    'version: 2',
    'interactions:',
    '  - id: 0',
    '    request:',
    '      proto: HTTP/1.1',
    '      host: api.openai.com',
    '      body: |',
    '        {"a":1}',
    '      url: https://api.openai.com/v1/responses',
    '      method: POST',
    '    response:',
    '      content_length: 0',
    '      uncompressed: true',
    '      body: said',
    '      headers:',
    '        Content-Type:',
    '          - text/plain',
    '      status: 200 OK',
    '      code: 201',
    '      duration: 1m2.5s',
  )
  const [exchange] = readOne(text, 'a.yaml').exchanges
  expect(exchange).toMatchObject({ durationMs: 62_500, response: { status: 201 } })
  expect(exchange!.request.headers).toBeUndefined()
  expect(sent(exchange!)).toBe('{"a":1}\n')
})

test("Datadog's is one exchange, whose bytes have a prefix", () => {
  const content = {
    request: { method: 'POST', url: CHAT, headers: { A: 'b' }, body: 'base64:c2VudA==' },
    response: { status: { code: 200, message: 'OK' }, headers: {}, body: 'said' },
  }
  const [exchange] = readOne(content).exchanges
  expect([sent(exchange!), received(exchange!)]).toEqual(['sent', 'said'])
})

test("LangChain's are two lists, packed, with words in the place of headers", () => {
  const text = yaml(
    'requests:',
    '- body: \'{"a":1}\'',
    '  headers: {accept: ["**REDACTED**"], x-api-key: [PLACEHOLDER]}',
    '  method: POST',
    `  uri: ${CHAT}`,
    '- {body: null, headers: {accept: [a/b], x-api-key: ["**REDACTED**"]}, method: GET, uri: "https://a.example/"}',
    'responses:',
    '- body: {string: said}',
    '  headers: {}',
    '  status: {code: 200, message: OK}',
    '- body: {string: ""}',
    '  headers: {}',
    '  status: {code: 204, message: No Content}',
    'version: 1',
  )
  const [one, other] = readOne(gzipSync(text), 'a.yaml.gz').exchanges
  expect([sent(one!), received(one!), one!.request.url]).toEqual(['{"a":1}', 'said', CHAT])
  expect([one!.request.headers, other!.request.headers]).toEqual([undefined, [['accept', 'a/b']]])
  expect(other!.response.status).toBe(204)
})

test('an answer to an offer of WebRTC is left out', async () => {
  const { exchanges, leftOut } = readOne(
    vcrpy(
      ['body: offer'],
      ['headers: {}', 'body:', String.raw`  string: "v=0\r\no=- 1 1 IN IP4 0"`],
    ),
    'a.yaml',
  )
  expect(exchanges).toEqual([])
  expect([...leftOut.values()]).toEqual([1])
  await expectGolden(listOf(leftOut), 'left-out-of-webrtc')
})

test('what is broken is named with its place', async () => {
  const folder = foreignFolder({
    'broken.yaml': 'interactions:\n- request: {a: [\n',
    'half.yaml': 'interactions:\n- request: {uri: x}\n',
    'nolist.yaml': 'interactions: 5\n',
    'wrong.yaml': vcrpy(['body: []'], ['headers: 5', 'body: {string: a}']),
  })
  const { unread } = folder.read()
  expect(unread).toMatchObject([
    { file: 'broken.yaml', nearest: 'vcr', isBroken: true },
    { file: 'half.yaml', nearest: 'vcr' },
    { file: 'nolist.yaml', nearest: 'vcr' },
    { file: 'wrong.yaml', nearest: 'vcr', isBroken: true },
  ])
  expect(unread[0]!.reason).toContain('at line ')
  expect(unread[3]!.reason).toContain(' /interactions/0/response/headers,')
  const told = unread.map(({ file, reason }) => `${file}\n${headOf(reason)}`)
  await expectGolden(told.join('\n\n'), 'broken')
})

test("the host of what Go's has seen as a server stands beside its path", () => {
  const [exchange] = readOne(
    yaml(
      'version: 2',
      'interactions:',
      '- request:',
      '    host: api.openai.com',
      '    url: /v1/chat/completions',
      '    method: POST',
      "    body: '{}'",
      '  response:',
      '    code: 200',
      '    status: 200 OK',
      '    body: said',
    ),
  ).exchanges
  expect(exchange!.request.url).toBe(CHAT)
})

test("headers of Python's requests are pairs in an object", () => {
  const [exchange] = readOne(
    vcrpy(
      ['body: !!python/unicode asked'],
      [
        'headers: !!python/object:requests.structures.CaseInsensitiveDict',
        '  _store:',
        '    content-type: !!python/tuple',
        '    - Content-Type',
        '    - text/plain',
        'body:',
        '  string: said',
      ],
    ),
  ).exchanges
  expect(exchange!.response.headers).toEqual([['Content-Type', 'text/plain']])
  expect(sent(exchange!)).toBe('asked')
})
