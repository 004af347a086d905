import nock from 'nock'
import { expect, test } from 'vitest'
import { request } from 'undici'

nock('http://weather.example.com').get('/').reply(200, 'sunny')

// The first connection of this file, which nock has taken before the network is open.
test('asks by a socket, beside what nock answers', async () => {
  const { body } = await request(`${process.env.UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Who?' }] }),
  })
  expect(await body.text()).toContain('Odd: Who?')
  const weather = await request('http://weather.example.com/')
  expect(await weather.body.text()).toBe('sunny')
})
