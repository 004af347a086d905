import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { HOW = 'How are you?', HOW_ANSWER = HOW, LESS, MORE } = process.env

test('asks one question', async () => {
  expect(await ask(HOW)).toBe(`Odd: ${HOW_ANSWER}`)
  if (MORE) await ask('Sure?')
})

test('asks two questions', async () => {
  expect(await ask('Who are you?')).toBe('Odd: Who are you?')
  if (!LESS) expect(await ask('And where?')).toBe('Odd: And where?')
})

test('asks no model', () => {
  expect(1 + 1).toBe(2)
})
