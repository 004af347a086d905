import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeContent } from '../../src/secrets/wire-request.ts'

const text = Buffer.from('{"model":"gpt-5"}')

test.each([
  ['gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['identity', text],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('content in %s is decoded, the last coding first', (coding, bytes) => {
  expect(Buffer.from(decodeContent(bytes, coding))).toEqual(text)
})

test('what cannot be decoded stays as it is', () => {
  expect(decodeContent(text, 'gzip')).toBe(text)
  expect(decodeContent(text, 'unheard-of')).toBe(text)
  expect(decodeContent(text, null)).toBe(text)
  expect(decodeContent(new Uint8Array(), 'gzip')).toHaveLength(0)
})
