import { once } from 'node:events'
import { get, Agent } from 'node:http'
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atFirstConnection } from '../../../../src/transports/intercept/patch/first-connection.ts'
import { outsideOfMsw } from '../../../../src/transports/intercept/patch/outside-of-msw.ts'

const plainConnect = Socket.prototype.connect

/** Ends every connection with an answer of HTTP. */
let server: Server
let port: number
/** What happened, in its order. */
let told: string[]
let end: () => void

beforeEach(async () => {
  told = []
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  end = atFirstConnection(openNetwork)
})

afterEach(() => {
  end()
  server.close()
  Socket.prototype.connect = plainConnect
})

/** What the network does: it takes the place of `connect`. */
function openNetwork(): void {
  told.push('opened')
  const { connect: before } = Socket.prototype
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    told.push('seen by the network')
    return Reflect.apply(before, this, args) as Socket
  } as typeof before
}

async function ask(): Promise<void> {
  const socket = connect(port, '127.0.0.1').resume()
  await once(socket, 'close')
  expect(socket.bytesRead).toBeGreaterThan(0)
}

test('the network opens at the first connection, sees that one, and opens once', async () => {
  expect(told).toEqual([])
  await ask()
  expect(told).toEqual(['opened', 'seen by the network'])
  await ask()
  expect(told).toEqual(['opened', 'seen by the network', 'seen by the network'])
})

test('a request of an agent opens it before the agent looks for a socket that it keeps', async () => {
  const agent = new Agent({ keepAlive: true })
  const request = get({ port, host: '127.0.0.1', agent })
  expect(told[0]).toBe('opened')
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream]
  response.resume()
  expect(told).toEqual(['opened', 'seen by the network'])
  agent.destroy()
})

test('connections that are not for it do not open it', async () => {
  const path = process.platform === 'win32' ? '\\\\.\\pipe\\none' : join(tmpdir(), 'no-such-socket')
  await expect(once(connect({ path }), 'connect')).rejects.toThrow()
  const socket = outsideOfMsw(() => connect(port, '127.0.0.1').resume())
  await once(socket, 'close')
  expect(told).toEqual([])
})

test('at its end the watch is gone', async () => {
  end()
  expect(Socket.prototype.connect).toBe(plainConnect)
  await ask()
  expect(told).toEqual([])
})
