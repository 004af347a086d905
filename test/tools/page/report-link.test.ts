import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkToCassette, readLink } from '../../../src/tools/page/data/report-link.ts'

test.each([
  ['#/__recordings__/a.test.ts/one-1.json', { path: '__recordings__/a.test.ts/one-1.json' }],
  ['#/a.json/exchange-2', { path: 'a.json', exchange: 'exchange-2' }],
  ['#/a%20b.json', { path: 'a b.json' }],
  ['#/', undefined],
  ['', undefined],
  ['#/%E0%A4%A.json', { path: '%E0%A4%A.json' }],
])('the address %s', (hash, link) => {
  expect(readLink(hash)).toEqual(link)
})

test('every path is found again by its link', () => {
  const segment = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !text.includes('/'))
  fc.assert(
    fc.property(
      fc.array(segment.filter((text) => !text.endsWith('.json'))),
      segment,
      (folders, name) => {
        const path = [...folders, `${name}.json`].join('/')
        expect(readLink(linkToCassette(path, 'exchange-3'))).toEqual({
          path,
          exchange: 'exchange-3',
        })
      },
    ),
  )
})
