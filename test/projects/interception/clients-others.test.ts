import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answerTo, bodyOf } from './ask.ts'
import { keep } from '../keep.ts'

const { APP_URL } = process.env

async function seen(): Promise<unknown> {
  return (await fetch(`${APP_URL}/seen`)).json()
}

function send(method: string, path: string, body?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(`${APP_URL}${path}`, { method, headers: { 'x-own': 'yes' } }, (response) =>
      resolve(json(response)),
    )
      .on('error', reject)
      .end(body)
  })
}

test('traffic that is no LLM call', async () => {
  const headers = { 'x-own': 'yes' }
  const post = { method: 'POST', headers, body: JSON.stringify({ to: 'Ann', text: 'Hi' }) }
  const results: Record<string, unknown> = {}

  expect(await (await fetch(`${APP_URL}/orders`, { headers })).json()).toEqual(answerTo(''))
  results['a GET by fetch'] = await seen()
  expect(await send('GET', '/orders')).toEqual(answerTo(''))
  results['a GET by node:http'] = await seen()
  expect(await (await fetch(`${APP_URL}/messages`, post)).json()).toEqual(answerTo('undefined'))
  results['messages of its own by fetch'] = await seen()
  expect(await send('POST', '/messages', post.body)).toEqual(answerTo('undefined'))
  results['messages of its own by node:http'] = await seen()
  // The path of an LLM call, but not its method.
  expect(await send('SEARCH', '/v1/chat/completions', bodyOf('Who?'))).toEqual(answerTo('Who?'))
  results['another method'] = await seen()
  keep('seen', results)
})
