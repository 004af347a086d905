import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:http2'
import { GoogleAuth } from 'google-auth-library'
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
  'https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken',
  'https://huggingface.co/Xenova/gpt-4o/resolve/main/tokenizer.json',
  'http://169.254.169.254/latest/api/token',
  'http://metadata.google.internal/computeMetadata/v1/instance',
])('a download and a probe of the cloud fail at once: %s', async (url) => {
  await expect(fetch(url)).rejects.toThrow()
})

test.each([
  ['POST', 'https://oauth2.googleapis.com/token', 'access_token'],
  ['POST', 'https://www.googleapis.com/oauth2/v4/token', 'access_token'],
  ['POST', 'https://sts.googleapis.com/v1/token', 'access_token'],
  [
    'POST',
    'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b.iam:generateAccessToken',
    'accessToken',
  ],
  ['POST', 'https://login.microsoftonline.com/tenant/oauth2/v2.0/token', 'access_token'],
  ['POST', 'https://login.microsoftonline.us/tenant/oauth2/token', 'access_token'],
  ['GET', 'https://login.microsoftonline.com/common/discovery/instance', 'metadata'],
  [
    'GET',
    'https://login.microsoftonline.com/tenant/v2.0/.well-known/openid-configuration',
    'token_endpoint',
  ],
  ['POST', 'https://iam.cloud.ibm.com/identity/token', 'access_token'],
  ['POST', 'https://oidc.eu-west-1.amazonaws.com/token', 'accessToken'],
])(
  'a token is given that opens nothing, and an upload of the key is none: %s %s',
  async (...asked) => {
    const [method, url, field] = asked
    const body = method === 'POST' ? 'grant_type=client_credentials&client_secret=s' : undefined
    const answer = await fetch(url, { method, body })
    expect(await answer.json()).toHaveProperty(field)
  },
)

test('a service account of Google signs in without an upload of its key', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const auth = new GoogleAuth({
    credentials: {
      client_email: 'a@b.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
    scopes: 'https://www.googleapis.com/auth/cloud-platform',
  })
  expect(await auth.getAccessToken()).toBe('vitest-cassette-opens-nothing')
})

test('the same over HTTP/2', async () => {
  const session = connect('https://api.smith.langchain.com')
  const error = await new Promise<Error>((resolve) => session.once('error', resolve))
  expect(error.message).toContain('A connection to api.smith.langchain.com:443 by node:http2')
})
