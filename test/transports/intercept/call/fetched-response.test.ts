import { createServer } from 'node:http'
import { once } from 'node:events'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  asFetched,
  fetchedResponse,
  isFetched,
} from '../../../../src/transports/intercept/call/fetched-response.ts'

const HEADERS = { 'content-type': 'application/json', 'x-request-id': 'req_1' }

test('reads as a response of fetch, and so do its clones', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(201, HEADERS).end('{"a":1}'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1/chat?b=2`
  try {
    const real = await fetch(`${url}#part`)
    const made = fetchedResponse('{"a":1}', { status: 201, headers: HEADERS }, `${url}#part`)
    for (const response of [made, made.clone(), made.clone().clone()]) {
      for (const field of ['url', 'type', 'status', 'ok', 'redirected', 'bodyUsed'] as const)
        expect(response[field], field).toBe(real[field])
      expect(response.constructor).toBe(Response)
      expect(inspect(response)).toMatch(/^Response \{/)
      expect(response.headers.get('x-request-id')).toBe('req_1')
      expect(await response.json()).toEqual({ a: 1 })
    }
  } finally {
    server.close()
  }
})

test('a body can be read once, and a clone before it', async () => {
  const made = fetchedResponse('{"a":1}', { headers: HEADERS }, 'https://api.openai.com/v1')
  const copy = made.clone()
  expect(await made.text()).toBe('{"a":1}')
  expect(() => made.clone()).toThrow(TypeError)
  await expect(made.text()).rejects.toThrow(TypeError)
  expect(await copy.text()).toBe('{"a":1}')
})

test('any other response becomes one, with its status, its headers and its stream', async () => {
  const body = new Blob(['one', 'two']).stream()
  const given = new Response(body, { status: 429, statusText: 'Slow down', headers: HEADERS })
  const made = asFetched(given, 'https://api.openai.com/v1#part')
  expect(made).toMatchObject({
    url: 'https://api.openai.com/v1',
    type: 'basic',
    status: 429,
    statusText: 'Slow down',
  })
  expect([...made.headers]).toEqual(Object.entries(HEADERS))
  expect(await made.text()).toBe('onetwo')
  expect(isFetched(given)).toBe(false)
  expect(asFetched(made, 'https://another.example')).toBe(made)
})

test.each([204, 205, 304])('a response without a body, status %i', (status) => {
  const made = asFetched(new Response(null, { status }), 'https://api.openai.com/v1')
  expect(made).toMatchObject({ status, body: null })
})
