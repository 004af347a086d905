import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { HOW = 'How are you in this mode?', HOW_ANSWER = HOW, LESS, MORE } = process.env

test('asks one question', async () => {
  expect(await ask(HOW)).toBe(`Odd: ${HOW_ANSWER}`)
  if (MORE) await ask('Sure of this mode?')
})

test('asks two questions', async () => {
  expect(await ask('Who are you in this mode?')).toBe('Odd: Who are you in this mode?')
  if (!LESS) expect(await ask('And where in this mode?')).toBe('Odd: And where in this mode?')
})

test('asks no model', () => {
  expect(1 + 1).toBe(2)
})
