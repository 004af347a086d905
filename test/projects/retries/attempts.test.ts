import { expect, test } from 'vitest'
import { ask } from './ask.ts'

let attempts = 0

test('passes at the third attempt', { retry: 2 }, async () => {
  const answer = await ask('numbered retry')
  await ask('Is it well?')
  console.log(`attempt: ${answer}.`)
  if (++attempts < 3) throw new Error('not yet')
})

test('runs three times', { repeats: 2 }, async () => {
  const answers = [await ask('numbered repeat'), await ask('numbered repeat')]
  console.log(`repeat: ${answers.join(' ')}.`)
})

test.fails('expects the wrong answer', async () => {
  expect(await ask('What fails?')).toBe('Nothing')
})

test('overcomes a full provider', async () => {
  expect(await ask('status 429 once', 1)).toBe('Odd: status 429 once')
})
