// What only servers have that are reached over HTTP.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { addressOf, call, connect, SKY } from './clients.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

const forecast = { name: 'get_forecast', arguments: { city: 'Rome' } }

test.for(['http/json', 'http/stateless'])('a server at %s', async (transport) => {
  const client = await connect(transport)
  expect(await call(client, 'get_forecast', { city: 'Rome' })).toContain(`Rome: ${SKY}`)
  if (process.env.MORE)
    expect(await call(client, 'get_forecast', { city: 'Lima' })).toContain('Lima')
  await client.close()
})

test('two clients at once, whose ids are the same', async () => {
  const clients = await Promise.all(
    ['http', 'http', 'http/stateless', 'http/stateless'].map((one) => connect(one)),
  )
  const cities = ['Rome', 'Oslo', 'Lima', 'Bern']
  const told = await Promise.all(
    clients.map((client, at) => call(client, 'get_forecast', { city: cities[at] })),
  )
  expect(told.map((text) => text.split(':')[0])).toEqual(cities)
  await Promise.all(clients.map((client) => client.close()))
})

test('what a server says of its own accord, and the end of a session', async () => {
  const client = new Client({ name: 'tests', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(addressOf('http')))
  await client.connect(transport)
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  )
  expect(transport.sessionId).toBeTypeOf('string')
  expect(await call(client, 'grow')).toBe('grown')
  await changed
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('grown')
  await transport.terminateSession()
  await client.close()
})

test('a server that lets nobody in', async ({ cassette }) => {
  cassette.use({ recordErrors: true })
  const headers = { authorization: 'Bearer none' }
  const transport = new StreamableHTTPClientTransport(new URL(addressOf('http')), {
    requestInit: { headers },
  })
  const client = new Client({ name: 'tests', version: '1' })
  await expect(client.connect(transport)).rejects.toThrow('Who?')
})

test.runIf(hasCurl)('a program that asks a server by the gateway', async ({ cassette }) => {
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: forecast }
  const address = cassette.baseUrl(addressOf('http/stateless'))
  const asked = ['-sS', address, '-H', 'content-type: application/json', '-d']
  const accept = ['-H', 'accept: application/json, text/event-stream']
  const { stdout } = await promisify(execFile)('curl', [
    ...asked,
    JSON.stringify(message),
    ...accept,
  ])
  expect(stdout).toContain('"id":7')
  expect(stdout).toContain(`Rome: ${SKY}`)
})

test('a Node child that asks a server', async () => {
  const message = { jsonrpc: '2.0', id: 8, method: 'tools/call', params: forecast }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const init = { method: 'POST', headers, body: JSON.stringify(message) }
  const script = `fetch('${addressOf('http/stateless')}', ${JSON.stringify(init)}).then((r) => r.text()).then(console.log)`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  expect(stdout).toContain('"id":8')
})
