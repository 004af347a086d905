// All of this stays on this machine, or is allowed to leave it.
import { execFile } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const server = createServer((_, response) => response.end('here'))
let port: number

beforeAll(async () => {
  await once(server.listen(0), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const own = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address)

test.each(['127.0.0.1', 'localhost', ...own])('fetch from %s', async (host) => {
  expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here')
})

test('a server of this machine for another host', async () => {
  const headers = { host: 'tenant.other.invalid' }
  const [response] = await once(request({ port, host: '127.0.0.1', headers }).end(), 'response')
  expect(await text(response)).toBe('here')
})

test('a unix socket', async () => {
  const path = join(tmpdir(), `closed-${process.pid}.sock`)
  const listening = net.createServer((socket) => socket.end('here')).listen(path)
  expect(await text(net.connect(path))).toBe('here')
  listening.close()
})

test('a question about this machine', async () => {
  expect(await dns.promises.lookup('localhost')).toHaveProperty('address')
})

test('datagrams', async () => {
  const [one, other] = [dgram.createSocket('udp4'), dgram.createSocket('udp4')]
  await once(one.bind(0, '127.0.0.1'), 'listening')
  other.send('here', one.address().port, '127.0.0.1')
  expect(String((await once(one, 'message'))[0])).toBe('here')
  one.close()
  other.close()
})

test('a program', async () => {
  const { stdout } = await promisify(execFile)('curl', ['-s', `http://127.0.0.1:${port}/`])
  expect(stdout).toBe('here')
})

test('what is allowed fails as on any machine that knows no such host', async () => {
  await expect(fetch('http://allowed.invalid/')).rejects.toThrow('fetch failed')
  await expect(dns.promises.lookup('allowed.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
  const [error] = await new Promise<Error[]>((resolve) => {
    const socket = net.connect(5432, 'db.allowed.invalid').on('data', () => {})
    socket.on('error', (one) => resolve([one]))
  })
  expect(error!.message).toMatch(/ENOTFOUND|EAI_AGAIN/)
})

test('receipts of telemetry that this package knows are written here', async () => {
  const { status } = await fetch('https://api.smith.langchain.com/runs', { method: 'POST' })
  expect(status).toBe(200)
})
