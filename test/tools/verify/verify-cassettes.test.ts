import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineOfValue } from '../../../src/tools/verify/verify-cassettes.ts'

test('a value is found on its line', () => {
  const text = JSON.stringify({ a: [{}, [], { 'b"\\': 'x,\n[{', c: [1, 2] }], d: null }, null, 1)
  const lines = text.split('\n')
  expect(lines[lineOfValue(text, ['a', '2', 'b"\\'])! - 1]).toContain('"b')
  expect(lines[lineOfValue(text, ['a', '2', 'c', '1'])! - 1]!.trim()).toBe('2')
  expect(lines[lineOfValue(text, ['d'])! - 1]).toContain('"d"')
  expect(lineOfValue(text, [])).toBe(1)
  expect(lineOfValue(text, ['a', '3'])).toBeUndefined()
})

test('every value of any JSON is found', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 2)
      const visit = (inner: unknown, path: string[]): void => {
        const line = text.split('\n')[lineOfValue(text, path)! - 1]!
        expect(line).toContain(JSON.stringify(inner, null, 2).split('\n')[0])
        if (typeof inner === 'object' && inner !== null)
          for (const [key, child] of Object.entries(inner)) visit(child, [...path, key])
      }
      visit(value, [])
    }),
  )
})
