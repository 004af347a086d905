import nock from 'nock'
import { afterAll, expect, test } from 'vitest'
import { ask, askByHttps, completion } from './ask.ts'

nock('https://api.openai.com').persist().post('/v1/chat/completions').reply(200, completion)
afterAll(() => nock.restore())

test('asks by fetch', async () => {
  expect(await ask('Who?')).toBe('Mocked.')
})

test('asks by https', async () => {
  expect(await askByHttps('Who?')).toBe('Mocked.')
})
