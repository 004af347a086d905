import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHeaders } from '../../../../src/transports/intercept/http/plain-request.ts'

const name = fc.oneof(
  fc.constantFrom('content-type', 'Content-Type', '__proto__', 'a b', ''),
  fc.string({ maxLength: 4 }),
)
const value = fc.oneof(fc.constantFrom(' a ', 'ä', '\n', 1, null), fc.string({ maxLength: 4 }))

test('headers read as Headers reads them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (pairs) => {
      const given = Object.fromEntries(pairs) as Record<string, string>
      const read = readHeaders(given)
      const known = headersOf(given)
      expect(read === undefined).toBe(known === undefined)
      for (const [key, text] of known ?? []) expect(read!.get(key)).toBe(text)
      expect(read?.get('x-absent') ?? undefined).toBeUndefined()
    }),
  )
})

test.each([undefined, [['a', 'b']], new Headers({ a: 'b' })] as HeadersInit[])(
  'headers may come as %o',
  (given) => {
    expect(readHeaders(given)!.get('a') ?? null).toBe(new Headers(given).get('a'))
  },
)

function headersOf(given: HeadersInit): Headers | undefined {
  try {
    return new Headers(given)
  } catch {
    return undefined
  }
}
