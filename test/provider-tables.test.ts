import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printModule, providerTables, TABLES } from '../tooling/provider-tables.ts'

test.each(Object.keys(TABLES))(
  'what is put in the place of %s exports the same, as data',
  async (file) => {
    const namesIn = (text: string): string[] =>
      Array.from(text.matchAll(/^export const (\w+)/gm), ([, name]) => name!)
    const path = join(import.meta.dirname, '..', file)
    const printed = (await providerTables.load(path))!
    expect(namesIn(printed).sort()).toEqual(namesIn(readFileSync(path, 'utf8')).sort())
    expect(printed).not.toMatch(/^import|=>/m)
  },
)

test('Vitest keeps no copy of what is made, which another file changes', () => {
  const keys: unknown[] = []
  const root = join(import.meta.dirname, '..')
  const ask = { environment: undefined as never, sourceCode: '' }
  providerTables.configureVitest!({
    defineCacheKeyGenerator: (keyOf: (of: object) => unknown) =>
      void keys.push(
        ...Object.keys(TABLES).map((file) => keyOf({ ...ask, id: join(root, file) })),
        keyOf({ ...ask, id: join(root, 'src/providers/catalogue.ts') }),
      ),
  } as never)
  expect(keys).toEqual([...Object.keys(TABLES).map(() => false), undefined])
})

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
