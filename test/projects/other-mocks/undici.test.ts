import { afterAll, expect, test } from 'vitest'
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import { ask, completion } from './ask.ts'

const before = getGlobalDispatcher()
const agent = new MockAgent()
agent
  .get('https://api.openai.com')
  .intercept({ path: '/v1/chat/completions', method: 'POST' })
  .reply(200, completion, { headers: { 'content-type': 'application/json' } })
setGlobalDispatcher(agent)
afterAll(() => setGlobalDispatcher(before))

test('asks by fetch', async () => {
  expect(await ask('Who?')).toBe('Mocked.')
})
