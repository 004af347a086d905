import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refuseWaited } from '../../src/transports/guard-run.ts'

const options = { hosts: ['models.corp.example'], allowHosts: [] }

/** The status with which a tunnel is answered. */
async function connect(authority: string): Promise<number> {
  const { hostname, port } = new URL(refuseWaited(() => options)!)
  const asked = request({ hostname, port, method: 'CONNECT', path: authority, agent: false })
  const [{ statusCode }, socket] = await once(asked.end(), 'connect')
  socket.destroy()
  return statusCode
}

test.for([
  ['a provider', 'api.cohere.com:443'],
  ['a host of the options', 'models.corp.example:443'],
  ['a host that is named as one of a model', 'llm.corp.example:443'],
])('a program that its test waits for gets no tunnel to %s', async ([, authority]) => {
  expect(await connect(authority!)).toBe(403)
})

test('it gets a tunnel to any other host', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(await connect(`127.0.0.1:${(server.address() as AddressInfo).port}`)).toBe(200)
})
