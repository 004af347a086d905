import { connect } from 'node:http2'
import { expect, test } from 'vitest'

test.each([
  ['GET', 'https://api.smith.langchain.com/info'],
  ['POST', 'https://api.smith.langchain.com/runs/multipart'],
  ['POST', 'https://cloud.langfuse.com/api/public/ingestion'],
  ['POST', 'https://api.openai.com/v1/traces/ingest'],
])('an upload gets a receipt: %s %s', async (method, url) => {
  const answer = await fetch(url, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({})
})

test.each([
  'https://tiktoken.pages.dev/js/o200k_base.json',
  'https://huggingface.co/Xenova/gpt-4o/resolve/main/tokenizer.json',
  'http://169.254.169.254/latest/api/token',
  'http://metadata.google.internal/computeMetadata/v1/instance',
])('a download and a probe of the cloud fail at once: %s', async (url) => {
  await expect(fetch(url)).rejects.toThrow()
})

test('the same over HTTP/2', async () => {
  const session = connect('https://api.smith.langchain.com')
  const error = await new Promise<Error>((resolve) => session.once('error', resolve))
  expect(error.message).toContain('A connection to api.smith.langchain.com:443 by node:http2')
})
