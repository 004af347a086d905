import { expect, test } from 'vitest'
import { runAgent } from './agent.ts'

test('refunds a lamp', async () => {
  const answers = await runAgent(
    'My lamp from order 1042 arrived broken. I want my money back.',
    'When will it arrive?',
  )
  expect(answers).toHaveLength(2)
  if (!process.env.ANY_ANSWER) expect(answers[0]).toBe('You get 40 euros back, Ada.')
})
