import { gzipSync } from 'node:zlib'
import { test } from 'vitest'
import { clients } from '../any-body/send.ts'

const { ECHO_URL: SERVER } = process.env

const JSON_TYPE = { 'content-type': 'application/json' }
const BODIES: Record<
  string,
  [headers: Record<string, string>, body?: string | Uint8Array<ArrayBuffer>]
> = {
  'an empty object': [JSON_TYPE, '{}'],
  'no messages': [JSON_TYPE, '{"messages":[]}'],
  'a field of its own': [JSON_TYPE, '{"inputs":"What is deep learning?","truncate":true}'],
  'a list': [JSON_TYPE, '["a"]'],
  'broken JSON': [JSON_TYPE, '{"model":'],
  text: [{ 'content-type': 'text/plain' }, 'Hello'],
  nothing: [{}],
  form: [{ 'content-type': 'application/x-www-form-urlencoded' }, 'prompt=Hello'],
  multipart: [
    { 'content-type': 'multipart/form-data; boundary=b' },
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello\r\n--b--\r\n',
  ],
  lines: [{ 'content-type': 'application/x-ndjson' }, '{"a":1}\n{"a":2}\n'],
  gzip: [
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    new Uint8Array(gzipSync('{"input":"Hello"}')),
  ],
}

const PATHS = `
  /v1/chat/completions /chat/completions /v1/completions /v1/responses /v1/embeddings /embeddings
  /v1/rerank /v2/rerank /rerank /v1/messages /v1/messages/count_tokens /v1/messages/batches
  /api/chat /api/generate /api/embed /api/embeddings /generate /generate_stream
  /v1beta/models/gemini-2.5-flash:generateContent /v1beta/models/gemini-2.5-flash:countTokens
  /v1/audio/transcriptions /v1/audio/speech /v1/images/generations /v1/images/edits /v1/moderations
  /v1/files /v1/batches /invocations /model/some.model/invoke /model/some.model/converse
  /openai/deployments/gpt/chat/completions /v2/chat /v2/embed /v1/ocr /v1/fim/completions
`
  .trim()
  .split(/\s+/)

const ASKED = [
  ...PATHS.map((path) => ['fetch', path, 'an empty object'] as const),
  ...Object.keys(BODIES).map((body) => ['fetch', '/v1/embeddings', body] as const),
  ...Object.keys(clients).flatMap((client) =>
    ['an empty object', 'nothing', 'multipart'].map(
      (body) => [client, '/api/embed', body] as const,
    ),
  ),
]

test.each(ASKED)('%s %s with %s', async (client, path, name) => {
  const [headers, body] = BODIES[name]!
  await clients[client]!({ url: SERVER + path, headers, body }).catch(() => {})
})

for (const method of ['PUT', 'PATCH'])
  test(`by ${method}`, async () => {
    await clients.fetch!({ url: `${SERVER}/v1/embeddings`, method, body: '{}' }).catch(() => {})
  })
