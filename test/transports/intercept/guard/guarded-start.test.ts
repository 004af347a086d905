import { expect, test } from 'vitest'
import { lentKeys } from '../../../../src/transports/intercept/guard/guarded-start.ts'

test('keys are lent where they are missing, and only where they are lent', () => {
  const lent = lentKeys({ OPENAI_API_KEY: 'sk-own', GROQ_API_KEY: '' }, { lends: 'absent' })
  expect(lent.ANTHROPIC_API_KEY).toBe('sk-replay-no-network')
  expect(lent).not.toHaveProperty('OPENAI_API_KEY')
  expect(lent).not.toHaveProperty('GROQ_API_KEY')
  // A cloud's account is for more than models.
  expect(lent).not.toHaveProperty('AWS_ACCESS_KEY_ID')
  expect(lentKeys({ GROQ_API_KEY: '' }, { lends: 'empty' })).toHaveProperty('GROQ_API_KEY')
  expect(lentKeys({}, {})).toEqual({})
})
