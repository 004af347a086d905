import { request as requestByHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { address, ask, requestOf } from './ask.ts'
import { keep } from '../keep.ts'

const { ODD_URL, SECRET = '', COMPRESSED } = process.env

test('a compressed request', async () => {
  const body = requestOf('Can you read this?')
  const response = await ask('', {
    body: COMPRESSED === '1' ? gzipSync(body) : body,
    headers: COMPRESSED === '1' ? { 'content-encoding': 'gzip' } : {},
  })
  expect(await response.text()).toContain('Odd: Can you read this?')
})

test('a request full of secrets', async () => {
  const response = await fetch(
    `${ODD_URL}/v1/chat/completions?api-version=2&key=${SECRET}&access_token=${SECRET}&x-amz-signature=${SECRET}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${SECRET}`,
        'api-key': SECRET,
        cookie: `session=${SECRET}`,
        'openai-organization': SECRET,
        'x-api-key': SECRET,
        'x-goog-api-key': SECRET,
      },
      body: requestOf('Keep it to yourself'),
    },
  )
  keep('secrets', await response.json())
})

test.each(['gzip', 'br', 'deflate', 'zstd', 'stream-gzip'])(
  'compressed with %s',
  async (coding) => {
    const response = await ask(coding)
    keep(`compressed-${coding}`, [
      response.headers.get('content-type'),
      response.headers.get('content-length'),
      await response.text(),
    ])
  },
)

test('compressed and asked for over node:http', async () => {
  const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    requestByHttp(address, { method: 'POST' }, resolve).on('error', reject).end(requestOf('gzip'))
  })
  keep('compressed-http', JSON.parse(await text(response)))
})

test.each([
  ['an object', { expect: '100-continue' }],
  ['a list', ['Expect', '100-Continue']],
])('asked with a body that waits for the server, with headers as %s', async (_, headers) => {
  const host = new URL(address).host
  const named = Array.isArray(headers) ? ['Host', host, ...headers] : headers
  const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    const request = requestByHttp(address, { method: 'POST', headers: named }, resolve)
    request.on('error', reject).on('continue', () => request.end(requestOf('May I?')))
  })
  expect(await text(response)).toContain('Odd: May I?')
})

test.each(['binary', 'latin', 'pretty', 'broken', 'empty'])(
  'an answer that is %s',
  async (kind) => {
    const response = await ask(kind)
    const bytes = Buffer.from(await response.arrayBuffer())
    keep(kind, [response.status, response.headers.get('content-type'), bytes.toString('hex')])
  },
)

test('an answer of status 204', async () => {
  const response = await ask('nothing')
  keep('nothing', [response.status, response.body === null, await response.text()])
})

test.each(['lump', 'slow'])('the chunks of a stream: %s', async (kind) => {
  const response = await ask(kind)
  const chunks: string[] = []
  for await (const chunk of response.body!) chunks.push(Buffer.from(chunk).toString())
  keep(`chunks-${kind}`, chunks)
})
