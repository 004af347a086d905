import { expect, test } from 'vitest'
import { isGuarded } from '../../../../src/transports/intercept/guard/guard-policy.ts'

const OPTIONS = { hosts: ['llm.corp.example'], allowHosts: ['open.example'] }

test.for([
  ['a host of a provider', 'GET https://api.openai.com/', true],
  ['a host that the options name', 'GET https://llm.corp.example/', true],
  ['the path of a provider at any host', 'POST https://any.example/v1/chat/completions', true],
  ['the path of a provider at this machine', 'POST http://127.0.0.1:9/v1/messages', true],
  ['that path by another method', 'DELETE https://any.example/v1/chat/completions', false],
  ['another path', 'POST https://any.example/v1/orders', false],
  ['a host that the options allow', 'POST https://open.example/v1/chat/completions', false],
] as const)('a request is guarded or not: %s', ([, request, expected]) => {
  const [method, address] = request.split(' ') as [string, string]
  const { hostname: host, port } = new URL(address)
  const connection = { host, port: Number(port) || 443, transport: 'a socket' }
  const sent = { ...connection, request: { method, url: address, headers: new Headers() } }
  expect(isGuarded(sent, OPTIONS)).toBe(expected)
})
