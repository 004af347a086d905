import fc from 'fast-check'
import { expect, test } from 'vitest'

import { replaceSpans } from '../../src/json/text-span.ts'
import { Swap, WholeWords } from '../../src/json/swap.ts'

function wordsOf(values: Record<string, string>): WholeWords {
  const words = new WholeWords()
  for (const [text, replacement] of Object.entries(values)) words.set(text, replacement)
  return words
}

test.each([
  ['a whole word', 'id-1 and id-2', '<1> and <2>'],
  ['no part of a longer word', 'id-12 xid-1 id-1é', 'id-12 xid-1 id-1é'],
  ['beside what is no letter', '"id-1",_id-2.', '"<1>",_<2>.'],
  ['the longest', 'id-1:x', '<long>'],
  ['one behind the other', 'id-1 id-1', '<1> <1>'],
])('finds %s', (_, text, expected) => {
  const words = wordsOf({ 'id-1': '<1>', 'id-2': '<2>', 'id-1:x': '<long>' })
  expect(replaceSpans(text, words.find(text))).toBe(expected)
})

/** The same by an expression, which takes a step for each of the texts at each place. */
function findByExpression(values: readonly string[], text: string): string[] {
  const whole = (value: string): string => {
    const start = /^[\p{L}\p{N}]/u.test(value) ? '(?<![\\p{L}\\p{N}])' : ''
    const end = /[\p{L}\p{N}]$/u.test(value) ? '(?![\\p{L}\\p{N}])' : ''
    return start + value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + end
  }
  const ordered = values.toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(ordered.map(whole).join('|'), 'gu')
  return Array.from(text.matchAll(pattern), ({ 0: value, index }) => `${index}: ${value}`)
}

test('finds what an expression of all texts finds, of any letters', () => {
  const pieces = ['a', 'B', '7', '-', '.', ' ', 'é', '𝒜', '🎉', '中']
  const word = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }),
      (all, text) => {
        const values = [...new Set(all.map((one) => one.join('')))]
        const words = wordsOf(Object.fromEntries(values.map((value) => [value, 'x'])))
        const joined = text.join('')
        const found = words
          .find(joined)
          .map(({ start, end }) => `${start}: ${joined.slice(start, end)}`)
        expect(found).toEqual(findByExpression(values, joined))
      },
    ),
  )
})

test('what is put in the place of a value is put back', () => {
  const swap = new Swap()
  swap.set('id-1', 'id-2')
  swap.set('id-2', 'id-1')
  const there = replaceSpans('id-1 id-2', swap.there.find('id-1 id-2'))
  expect(there).toBe('id-2 id-1')
  expect(replaceSpans(there, swap.back.find(there))).toBe('id-1 id-2')
})

test('a value has the last of its pairs, or none', () => {
  const swap = new Swap()
  swap.set('a', 'x')
  swap.set('b', 'x')
  expect(swap.back.get('x')).toBe('b')
  swap.set('b', 'y')
  expect([swap.back.get('x'), swap.back.get('y')]).toEqual(['a', 'b'])
  swap.set('a', 'a')
  expect([swap.there.get('a'), swap.back.get('x'), swap.back.size]).toEqual([
    undefined,
    undefined,
    1,
  ])
})
