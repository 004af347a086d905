import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUtf8 } from '../../src/wire/utf8.ts'

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

test('any text is read back, with its byte order mark', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      (text) => {
        expect(readUtf8(Buffer.from(text))).toBe(text)
        expect(readUtf8(Buffer.from(`\uFEFF${text}`))).toBe(`\uFEFF${text}`)
      },
    ),
  ))

test('any bytes are read as a strict decoder reads them, wherever they lie in their buffer', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat({ max: 8 }), (bytes, from) => {
      const part = bytes.subarray(from)
      expect(readUtf8(part)).toBe(decode(part))
    }),
  ))
