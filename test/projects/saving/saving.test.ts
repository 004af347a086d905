import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks the same as ever', async () => {
  expect(await ask('How are you?')).toBe('Odd: How are you?')
  expect(await ask('And now?')).toBe('Odd: And now?')
  expect(await ask('renewed by the provider')).toBe('Odd: renewed by the provider')
})

test('fails when it is told to', async () => {
  const answer = await ask('numbered, so that every recording differs')
  expect(answer).toContain(process.env.FAIL === '1' ? 'what no answer says' : 'numbered')
})
