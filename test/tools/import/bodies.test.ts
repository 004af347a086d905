import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asSentInUtf8,
  bytesOfText,
  cutStream,
  fromBase64,
  fromHex,
  unpack,
} from '../../../src/tools/import/bodies.ts'
import { ForeignValue } from '../../../src/tools/import/foreign-value.ts'
import { redactedIn } from '../../../src/tools/import/redacted.ts'
import { coded, expectGolden } from '../../golden.ts'
import { failureHeadOf } from './reasons.ts'

const HERE = new ForeignValue('a.har', 'x', '/body')
const PACKINGS = { gzipSync, zstdCompressSync, deflateSync, brotliCompressSync, deflateRawSync }
const TYPES = ['', 'application/json', 'text/event-stream', 'text/plain; charset=utf-8']

/** Texts as they are sent: JSON, streams, words of any language. */
const text = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.lorem({ mode: 'sentences' }),
  fc
    .array(fc.json(), { minLength: 1 })
    .map((data) => data.map((one) => `data: ${one}\n\n`).join('')),
)

test.for(Object.entries(PACKINGS))('%s is undone', ([, pack]) => {
  fc.assert(
    fc.property(text.filter(Boolean), fc.constantFrom(...TYPES), (said, type) => {
      const packed = pack(Buffer.from(said))
      // Of a few bytes it can happen that they are a text themselves.
      fc.pre(packed.length > 12)
      expect(Buffer.from(unpack(packed, type, HERE)).toString()).toBe(Buffer.from(said).toString())
    }),
  )
})

test('a body that is text stays as it is', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...TYPES), (said, type) => {
      const bytes = Buffer.from(said)
      expect(Buffer.from(unpack(bytes, type, HERE)).toString()).toBe(bytes.toString())
    }),
  )
})

test('what was asked for packed stays packed, and media are no packed texts', () => {
  const packed = gzipSync('lines')
  expect(unpack(packed, 'application/gzip', HERE)).toBe(packed)
  const speech = brotliCompressSync('no speech')
  expect(unpack(speech, 'audio/mpeg', HERE)).toBe(speech)
})

test('what there is of a packed body that broke off is unpacked', () => {
  const said = 'all of it '.repeat(1000)
  const packed = gzipSync(said, { level: 0 })
  const opened = Buffer.from(unpack(packed.subarray(0, 5000), '', HERE)).toString()
  expect(opened.length).toBeGreaterThan(4000)
  expect(said.startsWith(opened)).toBe(true)
})

test('a body that only begins as a packed one stays', () => {
  const bytes = Buffer.from([0x1f, 0x8b, 8, 1, 2, 3, 4, 5, 6, 7])
  expect(unpack(bytes, '', HERE)).toBe(bytes)
})

test('a body that unpacks to too much is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024))
  const open = (): unknown => unpack(bomb, '', HERE, 2 * 1024 * 1024)
  expect(open).toThrow(coded('invalid-cassette'))
  for (const fact of ['a.har ', ' /body,', ' 2 MB']) expect(open).toThrow(fact)
  await expectGolden(await failureHeadOf(open), 'too-much')
})

test('cutting a stream loses no byte', () => {
  const line = fc.constantFrom('data: 1', 'event: a', ': c', '{"a":1}', '', 'id: 5', 'ü')
  const end = fc.constantFrom('\n', '\r\n', '\n\n')
  const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''))
  const bytes = fc.oneof(
    stream.map((said) => new Uint8Array(Buffer.from(said))),
    fc.uint8Array(),
  )
  fc.assert(
    fc.property(bytes, fc.constantFrom(...TYPES, 'application/x-ndjson'), (body, type) => {
      const cut = cutStream(body, type)
      const whole = Buffer.concat(Array.isArray(cut) ? cut : [cut])
      expect(whole.toString('hex')).toBe(Buffer.from(body).toString('hex'))
    }),
  )
})

test('a stream of events is one whatever its content type', () => {
  const bytes = Buffer.from('data: {"a":1}\n\ndata: 2\n\n')
  for (const type of ['', 'application/json', 'text/plain'])
    expect(cutStream(bytes, type)).toHaveLength(2)
})

test('bytes come back from base64, also that of addresses, and from digits', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const buffer = Buffer.from(bytes)
      expect(fromBase64(buffer.toString('base64'), HERE)).toEqual(buffer)
      expect(fromBase64(buffer.toString('base64url'), HERE)).toEqual(buffer)
      expect(fromHex(buffer.toString('hex'), HERE)).toEqual(buffer)
    }),
  )
  for (const [read, text, encoding] of [
    [fromBase64, 'é', 'base64'],
    [fromHex, 'abc', 'hexadecimal'],
  ] as const) {
    expect(() => read(text, HERE)).toThrow(coded('invalid-cassette'))
    for (const fact of [' /body,', encoding]) expect(() => read(text, HERE)).toThrow(fact)
  }
})

test('packed bytes that were written as characters are bytes again', () => {
  const packed = gzipSync('{"a":1}')
  const bytes = bytesOfText(packed.toString('latin1'))
  expect(Buffer.from(unpack(bytes, '', HERE)).toString()).toBe('{"a":1}')
  expect(Buffer.from(bytesOfText('gzip \u001f\u008b')).toString()).toBe('gzip \u001f\u008b')
})

test('marks in the place of what nobody should see are found in addresses and bodies', () => {
  const found = (url: string, body: string = ''): string[] =>
    redactedIn({ url, body: Buffer.from(body) })
  expect(found('https://a.<AWS_REGION>.com/%3CPROJECT%3E/x')).toEqual([
    '<AWS_REGION>',
    '%3CPROJECT%3E',
  ])
  expect(found('https://bedrock-runtime.aws-region.amazonaws.com/')).toEqual(['aws-region'])
  expect(found('https://a.com/?key=***&b=**')).toEqual(['***', '**'])
  expect(found('https://a.com/?key=REDACTED&b=%5BREDACTED%5D')).toEqual([
    '%5BREDACTED%5D',
    'REDACTED',
  ])
  expect(found('https://a.com/?X-Amz-Signature=fake0&a=b')).toEqual(['X-Amz-Signature=fake0'])
  expect(found('https://a.com/', '{"a":"[REDACTED]","b":"[FILTERED: name]"}')).toEqual([
    '[REDACTED]',
    '[FILTERED: name]',
  ])
  expect(found('https://a.com/', '**bold** <CONTEXT>x</CONTEXT> <A_TAG>y</A_TAG> <B_C>')).toEqual([
    '<B_C>',
  ])
  expect(found('https://a.com/v1/chat', '{"text":"nothing is redacted, **NEVER**"}')).toEqual([])
})

test('what Chromium has read as windows-1252 is UTF-8 again, and anything else stays', () => {
  const windows = new TextDecoder('windows-1252')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (said) => {
      const bytes = Buffer.from(said.replace(/^\ufeff/, ''))
      const kept = Buffer.from(windows.decode(bytes))
      expect(Buffer.from(asSentInUtf8(kept))).toEqual(bytes)
    }),
  )
  for (const said of ['', 'plain', 'é', '“Hé” 你', 'Ã© 你'])
    expect(Buffer.from(asSentInUtf8(Buffer.from(said))).toString()).toBe(said)
})
