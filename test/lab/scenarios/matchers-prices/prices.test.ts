import { expect, test } from 'vitest'
import { Agent } from '../in-tests/agent.ts'

async function answerTwice(): Promise<void> {
  const agent = new Agent()
  await agent.answer('Where is my order 7?')
  await agent.answer('Thank you')
}

test('costs more than the known price', async ({ cassette }) => {
  await answerTwice()
  expect(cassette.cost()).toBeGreaterThan(0.1)
})

test('passes its limit', async ({ cassette }) => {
  await answerTwice()
  expect(cassette).toHaveTakenAtMost({ calls: 4, tokens: 10_000, cents: 10 })
})
