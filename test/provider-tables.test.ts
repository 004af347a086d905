import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printModule, providerTables, TABLES } from '../tooling/provider-tables.ts'

test.each(Object.keys(TABLES))(
  'what is put in the place of %s exports the same, as data',
  (file) => {
    const namesIn = (text: string): string[] =>
      Array.from(text.matchAll(/^export const (\w+)/gm), ([, name]) => name!)
    const path = join(import.meta.dirname, '..', file)
    const printed = providerTables.load(path)!
    expect(namesIn(printed).sort()).toEqual(namesIn(readFileSync(path, 'utf8')).sort())
    expect(printed).not.toMatch(/^import|=>/m)
  },
)

test('a printed module exports what was given', async () => {
  const given = {
    pattern: /^a\/b.+$/i,
    table: new Map([['a"b', { list: [1, undefined, null, true], 'a-b': 'c' }]]),
    names: new Set(['one', 'two']),
  }
  const printed = (await import(
    `data:text/javascript,${encodeURIComponent(printModule(given))}`
  )) as object
  expect({ ...printed }).toEqual(given)
})

test('a table that holds a function is refused', () => {
  expect(() => printModule({ table: { read: () => 1 } })).toThrow('A table holds no function')
})
