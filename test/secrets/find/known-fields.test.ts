import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { redactFields } from '../../../src/secrets/find/known-fields.ts'
import { jsonOf, readText, textOf } from '../../../src/wire/body.ts'

function redact(value: JsonObject, sender: 'client' | 'server' = 'server'): unknown {
  return jsonOf(redactFields(readText(JSON.stringify(value)), sender))
}

test('an OAuth exchange keeps all but what opens something', () => {
  const asked = { grant_type: 'refresh_token', client_id: 'app', client_secret: 'x', scope: 'all' }
  expect(redact({ ...asked, refresh_token: 'y' })).toEqual({
    ...asked,
    client_secret: '<REDACTED:client_secret>',
    refresh_token: '<REDACTED:refresh_token>',
  })
  expect(redact({ access_token: 'x', token_type: 'Bearer', expires_in: 3600 })).toEqual({
    access_token: '<REDACTED:access_token>',
    token_type: 'Bearer',
    expires_in: 3600,
  })
  const form = readText('grant_type=authorization_code&code=x%2Fy&client_id=app')
  expect(new URLSearchParams(textOf(redactFields(form, 'client'))).get('code')).toBe(
    '<REDACTED:code>',
  )
})

test.for<[what: string, from: JsonObject, to: JsonObject]>([
  [
    'keys made for a browser',
    { client_secret: { value: 'ek_1', expires_at: 1 } },
    { client_secret: { value: '<REDACTED:value>', expires_at: 1 } },
  ],
  ['their second form', { value: 'ek_1' }, { value: '<REDACTED:client_secret>' }],
  [
    'servers of Anthropic',
    { mcp_servers: [{ type: 'url', url: 'https://a.io', authorization_token: 'x' }] },
    {
      mcp_servers: [
        { type: 'url', url: 'https://a.io', authorization_token: '<REDACTED:authorization_token>' },
      ],
    },
  ],
  [
    'servers of OpenAI',
    { tools: [{ type: 'mcp', authorization: 'x', headers: { 'X-Key': 'y' } }] },
    {
      tools: [
        {
          type: 'mcp',
          authorization: '<REDACTED:authorization>',
          headers: { 'X-Key': '<REDACTED:X-Key>' },
        },
      ],
    },
  ],
  [
    'headers of servers that open something',
    {
      tools: [
        {
          type: 'mcp',
          headers: {
            'x-readonly': 'true',
            'x-mcp-toolsets': 'repos,issues,pull_requests',
            'x-tenant': 'acme-eu-2',
            'x-api-version': '2025-06-18',
            'x-limit': 10,
            'x-session-token': 'plain',
            cookie: 'a=b',
            'x-custom': 'q8Zr2LmT0vYw7',
            'x-user': '123e4567-e89b-12d3-a456-426614174000',
            'x-nested': 'Bearer q8Zr2LmT0vYw7',
          },
          extra_headers: { authorization: 'a' },
        },
        { type: 'mcp_server', headers: { authorization: 'a' } },
      ],
    },
    {
      tools: [
        {
          type: 'mcp',
          headers: {
            'x-readonly': 'true',
            'x-mcp-toolsets': 'repos,issues,pull_requests',
            'x-tenant': 'acme-eu-2',
            'x-api-version': '2025-06-18',
            'x-limit': 10,
            'x-session-token': '<REDACTED:x-session-token>',
            cookie: '<REDACTED:cookie>',
            'x-custom': '<DIGEST:9001eceee883>',
            'x-user': '<DIGEST:986c0dc956dc>',
            'x-nested': '<REDACTED:x-nested>',
          },
          extra_headers: { authorization: '<REDACTED:authorization>' },
        },
        { type: 'mcp_server', headers: { authorization: '<REDACTED:authorization>' } },
      ],
    },
  ],
])('%s are replaced', ([, from, to]) => {
  expect(redact(from)).toEqual(to)
})

test('what only has the name of such a field is kept', () => {
  const value = {
    messages: [{ role: 'user', content: 'Hi', password: 'a', access_token: 'b' }],
    tools: [{ type: 'function', headers: { a: 'b' }, function: { name: 'authorization' } }],
    code: 'return 1',
    value: 'text',
    client_secret: null,
  }
  expect(redact(value)).toEqual(value)
})

test.for<JsonObject>([
  { model: 'm', messages: [], grant_type: 'authorization_code', code: 'return 1' },
  { grant_type: 'read_only', code: 'EXT-1', password: 'at least 8 characters' },
  { grant_type: 'password', code: { language: 'python' } },
  { access_token: 'none', token_type: 'words', code: 'print(1)' },
  { client_secret: { value: 'the plot of a novel' }, prompt: 'Write on.' },
])('a request that asks for no token is kept: %j', (value) => {
  expect(redact(value, 'client')).toEqual(value)
})

test('a form is no request for a token because one of its fields is called like one', () => {
  for (const text of [
    'grant_type=authorization_code&prompt=Explain&code=x',
    'Explain this request: a=b&grant_type=password&code=1',
  ])
    expect(textOf(redactFields({ kind: 'text', text }, 'client'))).toBe(text)
})
