import { expect, test } from 'vitest'
import { isMcpAddress, mcpAddress, mcpServerOf } from '../../src/wire/address.ts'
import { jsonOf } from '../../src/wire/body.ts'
import {
  mcpContent,
  mcpAnswer,
  mcpMessagesOf,
  mcpRequest,
  parseMcp,
  withProgressToken,
  type McpMessage,
} from '../../src/wire/mcp-messages.ts'

test.each(['weather', '@acme/weather-mcp', 'localhost:3000', 'für alle'])(
  'the server %s has an address that is one, and says its name',
  (name) => {
    const address = mcpAddress(name)
    expect(isMcpAddress(address)).toBe(true)
    expect(mcpServerOf(new URL(address).href)).toBe(name)
  },
)

test('a message is one or several, and nothing that is no JSON-RPC', () => {
  const one = { jsonrpc: '2.0', method: 'ping', id: 1 }
  expect(parseMcp(JSON.stringify(one))).toEqual([one])
  expect(parseMcp(JSON.stringify([one, one]))).toEqual([one, one])
  for (const text of [
    '',
    '7',
    '[]',
    '{}',
    '{"method":"ping"}',
    '[{"jsonrpc":"2.0"}, 7]',
    '{"jsonrpc',
  ])
    expect(parseMcp(text)).toBeUndefined()
  expect(parseMcp('['.repeat(5_000))).toBeUndefined()
})

test.each([
  // What is another in every run does not count.
  [{ id: 7, method: 'tools/list' }, { method: 'tools/list' }],
  [{ id: 'x', method: 'm', params: { _meta: { progressToken: 3 } } }, { method: 'm' }],
  [
    { method: 'm', params: { a: 1, _meta: { traceparent: '00', 'io.modelcontextprotocol/x': 1 } } },
    { method: 'm', params: { a: 1 } },
  ],
  [
    {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'a' },
        capabilities: { roots: {} },
      },
    },
    { method: 'initialize', params: { capabilities: { roots: {} } } },
  ],
  [
    { method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
    { method: 'notifications/progress', params: { progress: 1 } },
  ],
  // All else does, whatever it is called.
  [
    { method: 'm', params: { id: 7, progressToken: 3, _meta: { user: 'ann' } } },
    { method: 'm', params: { id: 7, progressToken: 3, _meta: { user: 'ann' } } },
  ],
  [
    { method: 'm', params: { arguments: { _meta: { progressToken: 3 }, protocolVersion: '1' } } },
    { method: 'm', params: { arguments: { _meta: { progressToken: 3 }, protocolVersion: '1' } } },
  ],
])('of %j counts %j', (message, content) => {
  expect(mcpContent({ jsonrpc: '2.0', ...message })).toEqual(content)
  expect(jsonOf(mcpRequest('weather', { jsonrpc: '2.0', ...message }).body)).toEqual(content)
})

test.each<[McpMessage[]]>([
  [[{ result: { content: [] } }]],
  [[{ method: 'notifications/progress', params: { progress: 1 } }, { error: { code: -1 } }]],
  [[{ id: 1, method: 'roots/list' }, { result: {} }, { method: 'notifications/x' }]],
])('what a server said comes back: %j', (messages) => {
  const back = messages.map((message) => ({ jsonrpc: '2.0', ...message }))
  expect(mcpMessagesOf(mcpAnswer(messages))).toEqual(back)
})

test('progress is told by the token of the request', () => {
  const progress = { method: 'notifications/progress', params: { progress: 1 } }
  expect(withProgressToken(progress, 'mine').params).toEqual({ progress: 1, progressToken: 'mine' })
  expect(withProgressToken(progress, undefined)).toBe(progress)
  expect(withProgressToken({ method: 'other' }, 'mine')).toEqual({ method: 'other' })
})
