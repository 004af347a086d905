import { expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'

const answer = await ask(edited('module', 'the module'))

test('has what the module asked', () => {
  expect(answer).toBe('Odd: module')
})
