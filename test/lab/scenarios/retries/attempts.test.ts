import { expect, test } from 'vitest'
import { edited } from '../changed.ts'
import { keep } from '../keep.ts'
import { ask } from './ask.ts'

let attempts = 0
let firstAttempts = 0

test('passes at the third attempt', { retry: 2 }, async () => {
  const answer = await ask('numbered retry')
  await ask(edited('Is it well?', 'Is it good?'))
  keep(`attempt-${++attempts}`, answer)
  if (attempts < 3) throw new Error('not yet')
})

test('asks what is recorded at its second attempt', { retry: 1 }, async () => {
  await ask('numbered question')
  await ask(firstAttempts++ === 0 ? edited('Is it well?', 'Is it good?') : 'Is it well?')
})

test.fails('expects the wrong answer', async () => {
  expect(await ask(edited('What fails?', 'What breaks?'))).toBe('Nothing')
})
