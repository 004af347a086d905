import axios from 'axios'
import nock from 'nock'
import { afterAll, expect, test } from 'vitest'
import { askByHttps, completion } from './ask.ts'

nock.restore()
afterAll(() => nock.restore())

test('asks by https, when there were connections before nock', async () => {
  await expect(axios.get('http://127.0.0.1:9', { adapter: 'http' })).rejects.toThrow()
  nock.activate()
  nock('https://api.openai.com').post('/v1/chat/completions').reply(200, completion)
  expect(await askByHttps('Who?')).toBe('Mocked.')
})
