// Each of these tries to leave this machine by one way, and swallows the error.
import { execFile, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import * as undici from 'undici'
import WebSocket from 'ws'

const host = 'other.invalid'
const url = `https://${host}/search?q=cats&api_key=secret-of-mine`
const child = new URL('./child.mjs', import.meta.url)
const env = { ...process.env, ASKED: url }

test('fetch', () => fetch(url).catch(swallow))

test('fetch, of a vector store', () =>
  fetch(`https://${host}/vectors/query`, { method: 'POST', body: '{"topK":3}' }).catch(swallow))

test('fetch, telemetry', () =>
  fetch(`https://${host}/envelope`, { method: 'POST', body: 'x', keepalive: true }).catch(swallow))

test('node:http', () => ended(httpRequest(`http://${host}/search`).end()))

test('undici request', () => undici.request(url).catch(swallow))

test('global WebSocket', () => {
  const socket = new globalThis.WebSocket(`wss://${host}/feed`)
  return new Promise((resolve) => socket.addEventListener('close', resolve))
})

test('ws', () => ended(new WebSocket(`ws://${host}/feed`)))

test('a database that waits for its client', async () => {
  const socket = net.connect(5432, `db.${host}`)
  socket.on('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])))
  await ended(socket)
})

test('a database that speaks first', () =>
  ended(net.connect(3306, `db.${host}`).on('data', swallow)))

test('an address', () => ended(net.connect(6379, '192.0.2.1').on('data', swallow)))

test('node:tls', () => ended(tls.connect({ port: 6380, host: `db.${host}` }).on('data', swallow)))

test('node:http2', async () => {
  const session = http2.connect(`https://${host}`)
  session.on('error', swallow)
  await ended(session.request({ ':path': '/search' }))
  session.destroy()
})

test('dns.lookup', () => new Promise((resolve) => dns.lookup(host, resolve)))

test('dns.promises.resolveTxt', () => dns.promises.resolveTxt(host).catch(swallow))

test('dns.Resolver', () => new Promise((resolve) => new dns.Resolver().resolve4(host, resolve)))

test('node:dgram', async () => {
  const socket = dgram.createSocket('udp4')
  await new Promise((resolve) => socket.send('count:1|c', 8125, `statsd.${host}`, resolve))
  socket.close()
})

test('node:dgram without a callback', async () => {
  const socket = dgram.createSocket('udp4')
  socket.send(Buffer.from('count:1|c'), 0, 9, 8125, '192.0.2.1')
  await new Promise(setImmediate)
  socket.close()
})

test('worker thread', () => once(new Worker(child, { env }), 'exit'))

test('child process', () => once(spawn(process.execPath, [child.pathname], { env }), 'exit'))

test('child process of another language, by TLS', () =>
  promisify(execFile)('curl', ['-s', '-m', '5', url]).catch(swallow))

test('child process of another language, in plain text', () =>
  promisify(execFile)('curl', ['-s', '-m', '5', `http://${host}/search`]).catch(swallow))

function swallow(): void {}

function ended(emitter: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['error', 'close', 'end', 'response']) emitter.once(event, () => resolve())
  })
}
