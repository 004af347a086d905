import { expect, test } from 'vitest'
import { CallFragments } from '../../../src/providers/kit/drafts.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'

const fragment = (name: string | null, text: string, rest: JsonObject = {}): JsonObject => ({
  ...rest,
  function: { ...(name === null ? {} : { name }), arguments: text },
})

const join = (...deltas: JsonObject[]): unknown[] => {
  const fragments = new CallFragments()
  for (const delta of deltas) fragments.add(delta)
  return fragments.joined().map((call) => Object.values(call.function as JsonObject))
}

test('joins the fragments of calls that arrive by turns', () => {
  const calls = join(
    fragment('a', '', { index: 0, id: '1' }),
    fragment('b', '{', { index: 1, id: '2' }),
    fragment(null, '[1]', { index: 0 }),
    fragment(null, '}', { index: 1 }),
  )
  expect(calls).toEqual([
    ['a', '[1]'],
    ['b', '{}'],
  ])
})

test('joins a call whose id and name are repeated with every fragment', () => {
  const repeated = { index: 0, id: '1' }
  expect(join(fragment('a', '{"x"', repeated), fragment('a', ':1}', repeated))).toEqual([
    ['a', '{"x":1}'],
  ])
})

test.each([
  ['number all of them 0', { index: 0, id: '1' }, { index: 0, id: '2' }],
  ['number none of them', { id: '1' }, { id: '2' }],
  ['neither number nor name them', {}, {}],
])('keeps calls apart of providers that %s', (_, one, other) => {
  expect(join(fragment('a', '{}', one), fragment('a', '[]', other))).toEqual([
    ['a', '{}'],
    ['a', '[]'],
  ])
})

test('keeps arguments that come as a value, and the input of custom tools', () => {
  const fragments = new CallFragments()
  fragments.add({ function: { name: 'a', arguments: { x: 1 } } })
  fragments.add({ index: 1, id: '2', type: 'custom', custom: { name: 'sh', input: 'l' } })
  fragments.add({ index: 1, custom: { input: 's' } })
  expect(fragments.joined()).toEqual([
    { function: { name: 'a', arguments: { x: 1 } } },
    { id: '2', type: 'custom', custom: { name: 'sh', input: 'ls' } },
  ])
})
