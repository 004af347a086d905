import { afterAll, expect, test } from 'vitest'
import { getGlobalDispatcher, MockAgent, request, setGlobalDispatcher } from 'undici'
import { ask, completion } from './ask.ts'

const before = getGlobalDispatcher()
const agent = new MockAgent()
agent
  .get('https://api.openai.com')
  .intercept({ path: '/v1/chat/completions', method: 'POST' })
  .reply(200, completion, { headers: { 'content-type': 'application/json' } })
  .persist()
setGlobalDispatcher(agent)
afterAll(() => setGlobalDispatcher(before))

test('asks by fetch', async () => {
  expect(await ask('Who?')).toBe('Mocked.')
})

test('asks by a client of undici itself', async () => {
  const { body } = await request('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Who?' }] }),
  })
  expect(await body.json()).toEqual(completion)
})
