import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import {
  hasOpen,
  openRequest,
  settleRequests,
  nextOrder,
} from '../../../../src/transports/open-requests.ts'

import {
  handshakeOf,
  noteWrites,
} from '../../../../src/transports/intercept/websocket/socket-server.ts'

/** A connection whose client was opened outside of any test. */
function connect() {
  const [client, connection] = duplexPair({ allowHalfOpen: false })
  const order = nextOrder()
  const open = openRequest(undefined, order, 'GET ws://127.0.0.1/v1/realtime')!
  const isMine = (request: { order: number; address: string }): boolean =>
    request.order > order && request.address === 'SEND ws://127.0.0.1/v1/realtime'
  return { client, connection, isMine, orderOf: noteWrites(client, connection, { order, open }) }
}

test('what is written counts from there, whenever it arrives', async () => {
  const { client, connection, orderOf } = connect()
  const orders: number[] = []
  connection.on('data', () => orders.push(orderOf()))
  const before = nextOrder()
  client.write('one')
  const between = nextOrder()
  client.write(Buffer.alloc(0))
  client.write('tüü')
  const after = nextOrder()
  while (orders.length < 2) await once(connection, 'data')
  expect(orders[0]).toBeGreaterThan(before)
  expect(orders[0]).toBeLessThan(between)
  expect(orders[1]).toBeGreaterThan(between)
  expect(orders[1]).toBeLessThan(after)
})

test('a message of a socket is open until it arrives', async () => {
  const { client, isMine } = connect()
  client.write('one')
  client.write('two')
  expect(hasOpen(isMine)).toBe(true)
  expect(await settleRequests(isMine)).toEqual([])
})

test('a message of a socket is open until its client goes', async () => {
  const { client, connection, isMine } = connect()
  connection.pause()
  client.write('one')
  expect(hasOpen(isMine)).toBe(true)
  client.destroy()
  await once(client, 'close')
  expect(hasOpen(isMine)).toBe(false)
})

test('the body of a refusal arrives whole, also where characters take several bytes', async () => {
  const server = createServer().on('upgrade', (request, socket, head) =>
    handshakeOf('ws://127.0.0.1/', request, socket, head).reject(403, 'Zürich: 拒否'),
  )
  const [client, connection] = duplexPair({ allowHalfOpen: false })
  server.emit('connection', connection)
  const request = httpRequest({
    headers: { connection: 'upgrade', upgrade: 'websocket' },
    createConnection: () => client,
  })
  const [response] = await once(request.end(), 'response')
  expect(response.statusCode).toBe(403)
  expect(await text(response)).toBe('Zürich: 拒否')
})
