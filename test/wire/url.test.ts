import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepLocation } from '../../src/wire/url.ts'

test('a location keeps its spelling, without user and keys', () => {
  for (const [location, kept] of [
    ['/v2/moved?key=k&b=2#part', '/v2/moved?b=2#part'],
    ['../moved?a=%20&a=2', '../moved?a=%20&a=2'],
    ['?access%5Ftoken=k', ''],
    ['https://me:secret@api.openai.com/v1?X-Amz-Signature=s', 'https://api.openai.com/v1'],
    ['//me@host/path', '//host/path'],
    ['/users/@me', '/users/@me'],
    ['', ''],
  ])
    expect(keepLocation(location!)).toBe(kept)
})

test('a location without a secret stays as it is, and keeping it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const kept = keepLocation(url)
      expect(keepLocation(kept)).toBe(kept)
      if (!url.includes('?')) expect(kept).toBe(url)
    }),
  )
})
