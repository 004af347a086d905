import { test } from 'vitest'
import { ask } from '../ask.ts'

let attempts = 0

test('passes at the second attempt', { retry: 1 }, async () => {
  const isFirst = attempts++ === 0
  await ask(isFirst && process.env.CHANGED ? 'Is it good?' : 'Is it well?')
})
