import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, expect, test } from 'vitest'
import { askByHttps, completion } from './ask.ts'

const server = setupServer(
  http.post('https://api.openai.com/v1/chat/completions', () => HttpResponse.json(completion)),
)
server.listen()
afterAll(() => server.close())

test('asks by https', async () => {
  expect(await askByHttps('Who?')).toBe('Mocked.')
})
