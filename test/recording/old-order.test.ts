import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRecorded, type Cassette } from '../../src/cassette/cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { keepUnchanged } from '../../src/recording/keep-unchanged.ts'
import { question, recorded } from '../engine/example-session.ts'

type Said = readonly [question: string, answer: string]

const cassette = (said: readonly Said[]): Cassette =>
  recorded(
    ...said.map(([asked, answer]): Parameters<typeof recorded>[0] => [question(asked), answer]),
  )
const print = (one: Cassette): string => printCassette(encodeCassette(one, '').stored)
const again = (old: readonly Said[], fresh: readonly Said[], unordered = true): Cassette =>
  keepUnchanged({ unordered })(cassette(old), cassette(fresh))
const saidIn = ({ exchanges }: Cassette): Said[] =>
  exchanges.filter(isRecorded).map(({ prompt, response }) => [prompt.text, response.text])

const texts = ['a', 'b', 'c', 'd', 'e']
const old = texts.map((text): Said => [text, `to ${text}`])

test('whatever order requests arrive in, recording them again changes no byte', () => {
  const orders = fc.shuffledSubarray(old, { minLength: old.length })
  fc.assert(
    fc.property(orders, (fresh) => {
      expect(print(again(old, fresh))).toBe(print(cassette(old)))
    }),
  )
})

test('where the order counts, it is that of the new recording', () => {
  const fresh = old.toReversed()
  expect(saidIn(again(old, fresh, false))).toEqual(fresh)
})

test('a new request comes after all that were recorded before it, and a changed one stays in its place', () => {
  const more: Said[] = [old[1]!, old[0]!, ['new', 'to new'], old[4]!, old[2]!, old[3]!]
  const [a, b, ...others] = old
  expect(saidIn(again(old, more))).toEqual([a, b, ['new', 'to new'], ...others])
  const changed: Said[] = [old[2]!, ['b, please', 'to b'], old[4]!, old[0]!, old[3]!]
  expect(saidIn(again(old, changed))).toEqual(old.with(1, ['b, please', 'to b']))
})

test('equal prompts are answered in the order in which they were asked now', () => {
  const told: Said[] = [
    ['same', 'one'],
    ['other', 'x'],
    ['same', 'two'],
  ]
  const fresh: Said[] = [
    ['other', 'x'],
    ['same', 'two'],
    ['same', 'one'],
  ]
  expect(saidIn(again(told, fresh))).toEqual([
    ['same', 'two'],
    ['other', 'x'],
    ['same', 'one'],
  ])
})

test('any recording holds after it was settled what was recorded, equal prompts in their order', () => {
  const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z')), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(some, some, (before, now) => {
      const settled = saidIn(again(before, now))
      expect(settled.toSorted()).toEqual(now.toSorted())
      for (const text of ['a', 'b', 'c'])
        expect(settled.filter(([asked]) => asked === text)).toEqual(
          now.filter(([asked]) => asked === text),
        )
    }),
  )
})
