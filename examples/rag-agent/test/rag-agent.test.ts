import { expect, test } from 'vitest'
import { RagAgent } from '../src/rag-agent.ts'

test('it answers from the handbook, and does not search', async ({ cassette }) => {
  const answer = await new RagAgent().ask('How long can I send a lamp back?')

  expect(answer).toBe('You can send it back within 30 days [Handbook, Returns].')
  expect(cassette).toHaveAsked('Handbook, Returns: Lamps can be sent back within 30 days.')
  // The embedding, the vector store, the answer.
  expect(cassette.exchanges).toHaveLength(3)
})

test('it searches the web for what the handbook does not know', async ({ cassette }) => {
  const answer = await new RagAgent().ask('Which lamps save the most energy?')

  expect(answer).toBe('LED lamps, by 80 percent [Energy agency].')
  expect(cassette).toHaveAsked('Energy agency: LED lamps need 80 percent less.')
  expect(cassette.exchanges).toHaveLength(4)
})
