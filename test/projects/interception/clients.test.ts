import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { fetch as undiciFetch, request as undiciRequest } from 'undici'
import { address, answerTo, ask, bodyOf } from './ask.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function askByHttp(content: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(address, { method: 'POST', agent }, (response) => resolve(json(response)))
      .on('error', reject)
      .end(bodyOf(content))
  })
}

async function askByUndiciRequest(content: string): Promise<unknown> {
  const { body } = await undiciRequest(address, { method: 'POST', body: bodyOf(content) })
  return body.json()
}

async function askByUndiciFetch(content: string): Promise<unknown> {
  const response = await undiciFetch(address, { method: 'POST', body: bodyOf(content) })
  return response.json()
}

const clients: Array<[string, (content: string) => Promise<unknown>]> = [
  ['fetch', ask],
  ['node:http', askByHttp],
  ['undici request', askByUndiciRequest],
  ['undici fetch', askByUndiciFetch],
]

test.each(clients)('asks by %s', async (_, askOnce) => {
  // The second goes over the socket of the first.
  for (const content of ['Once?', 'Twice?'])
    expect(await askOnce(content)).toEqual(answerTo(content))
})

test.skipIf(process.env.RECORD === '1').each(clients)('is blocked: %s', async (_, askOnce) => {
  await askOnce('Is anyone there?').catch(() => {})
})

test('a host of the option', async () => {
  const url = `${process.env.ODD_URL!.replace('127.0.0.1', 'localhost')}/v2/generate`
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ prompt: 'Draw.' }) })
  expect(await response.json()).toEqual(answerTo('Draw.'))
})
