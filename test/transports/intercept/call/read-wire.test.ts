import { expect, test } from 'vitest'
import { WireReader, type WireEvent } from '../../../../src/transports/intercept/call/read-wire.ts'

const HEAD = 'HTTP/1.1\r\nHost: llm.test:4000\r\n'
const body = '{"model":"m"}'
const length = `Content-Length: ${body.length}\r\n\r\n`

/** What is written, and what it tells, in short. */
const TALKS: Record<string, [written: string | Buffer, event: string[]]> = {
  'a request': [`GET /x ${HEAD}\r\n`, ['llm.test:4000 http://llm.test:4000/x']],
  'a request with a body': [
    `POST /chat ${HEAD}${length}${body}`,
    ['llm.test:4000 http://llm.test:4000/chat'],
  ],
  'a body in chunks, with trailers': [
    `POST /chat ${HEAD}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\n{"mod\r\n8\r\nel":"m"}\r\n0\r\nT: x\r\n\r\nGET /y ${HEAD}\r\n`,
    ['llm.test:4000 http://llm.test:4000/chat', 'llm.test:4000 http://llm.test:4000/y'],
  ],
  'empty lines before it, and between': [
    `\r\n\r\nGET /x ${HEAD}\r\n\r\n\nGET /y ${HEAD}\r\n`,
    ['llm.test:4000 http://llm.test:4000/x', 'llm.test:4000 http://llm.test:4000/y'],
  ],
  'requests one behind the other': [
    `PUT /x ${HEAD}${length}${body}POST /chat ${HEAD}${length}${body}`,
    ['llm.test:4000 http://llm.test:4000/x', 'llm.test:4000 http://llm.test:4000/chat'],
  ],
  'lines that end as they should not': [
    'get /x http/1.0\nhost : API.OpenAI.com.\n\n',
    ['api.openai.com.:80 http://api.openai.com./x'],
  ],
  'no host': ['GET /x HTTP/1.0\r\n\r\n', ['10.0.0.1:8080 http://10.0.0.1:8080/x']],
  'the whole address, for a proxy': [
    `GET http://user:pw@api.openai.com/v1/models ${HEAD}\r\n`,
    [
      'api.openai.com:80 http://user:pw@api.openai.com/v1/models',
      'llm.test:4000 http://user:pw@api.openai.com/v1/models',
    ],
  ],
  'a tunnel': [
    `connect api.openai.com:443 ${HEAD}\r\nGET /x ${HEAD}\r\n`,
    ['way by HTTP to api.openai.com:443', 'llm.test:4000 http://llm.test:4000/x'],
  ],
  'a tunnel to an address': [`CONNECT [::1]:443 ${HEAD}\r\n`, ['way by HTTP to ::1:443']],
  'SOCKS 5 by name': [
    socks('050100 05010003 0e', 'api.openai.com', '01bb', `GET /x ${HEAD}\r\n`),
    ['way by SOCKS to api.openai.com:443', 'llm.test:4000 http://llm.test:4000/x'],
  ],
  'SOCKS 5 with a password, by number': [
    socks('05020002 0102', 'me', '03', 'pwd', '05010001 0a000001 0050'),
    ['way by SOCKS to 10.0.0.1:80'],
  ],
  'SOCKS 5, by number of six': [
    socks('050100 05010004 00000000000000000000ffff0a000001 0050'),
    ['way by SOCKS to 0000:0000:0000:0000:0000:ffff:0a00:0001:80'],
  ],
  'SOCKS 4 by number': [socks('0401 0050 0a000001', 'me', '00'), ['way by SOCKS to 10.0.0.1:80']],
  'SOCKS 4 by name': [
    socks('0401 01bb 00000001', 'me', '00', 'api.openai.com', '00'),
    ['way by SOCKS to api.openai.com:443'],
  ],
  'an upgrade, and what follows it': [
    `GET /v1/realtime ${HEAD}Upgrade: websocket\r\n\r\n\x81\x85GET /x ${HEAD}\r\n`,
    ['llm.test:4000 http://llm.test:4000/v1/realtime'],
  ],
  'a word': ['ping', []],
  'a line that is no request': [`EHLO me\r\nGET /x ${HEAD}\r\n`, []],
  'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', []],
  bytes: [Buffer.from('16030100c8010000c40303', 'hex'), []],
  'no end': ['x'.repeat(100_000), []],
}

test.each(Object.entries(TALKS))('tells of %s, whole or byte by byte', (_, [written, event]) => {
  const bytes = Buffer.from(written as string, 'latin1')
  expect(tellAll([bytes])).toEqual(event)
  if (bytes.length < 10_000)
    expect(tellAll(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(event)
})

test('holds back from where a request is one to where it is judged, and nothing else', () => {
  const reader = newReader()
  const holding = (text: string): boolean => {
    Array.from(reader.read(Buffer.from(text)))
    return reader.isHolding
  }
  expect(holding('POST /chat')).toBe(false)
  expect(holding(' HTTP/1.1\r\n')).toBe(true)
  expect(holding('Host: x\r\n')).toBe(true)
  expect(holding(length)).toBe(false)
  expect(holding(body)).toBe(false)
  expect(holding('ping\n')).toBe(false)
  expect(reader.isDone).toBe(true)
})

function newReader(): WireReader {
  const place = { host: '10.0.0.1', port: 8080, isSecure: false }
  return new WireReader(place)
}

function tellAll(pieces: Buffer[]): string[] {
  const reader = newReader()
  return pieces.flatMap((piece) => Array.from(reader.read(piece), inShort))
}

function inShort(event: WireEvent): string {
  if (event.kind === 'way') return `way by ${event.by} to ${event.host}:${event.port}`
  const { host, port, url } = event
  return `${host}:${port} ${url}`
}

/** Numbers are hexadecimal, what is no number is text. */
function socks(...parts: string[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      /^[\da-f ]+$/.test(part) ? Buffer.from(part.replaceAll(' ', ''), 'hex') : Buffer.from(part),
    ),
  )
}
