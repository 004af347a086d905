// A server of the tests' own that is no provider stays free, by whatever transport.
import { execFileSync } from 'node:child_process'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

const server = http.createServer((request, response) => response.end(`served ${request.url}`))
const echo = net.createServer((socket) => socket.pipe(socket))
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve))
})
afterAll(() => [server.close(), echo.close()])

test('fetch', async () => {
  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/orders`)
  expect(await answer.text()).toBe('served /orders')
})

test('node:net', async () => {
  const socket = net.connect(portOf(echo), '127.0.0.1')
  socket.write('\x00hello')
  const [chunk] = await new Promise<[Buffer]>((resolve) =>
    socket.once('data', (data) => resolve([data])),
  )
  socket.destroy()
  expect(chunk.toString()).toBe('\x00hello')
})

test('child process', () => {
  const text = execFileSync(process.execPath, ['-e', 'console.log(process.env.WORD)'], {
    env: { WORD: 'hello' },
  })
  expect(text.toString()).toBe('hello\n')
})

function portOf(listening: net.Server): number {
  return (listening.address() as AddressInfo).port
}
