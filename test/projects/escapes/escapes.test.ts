// Each of these tries to reach a provider by one transport, and swallows the error.
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { Worker } from 'node:worker_threads'
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js'
import { test } from 'vitest'
import * as undici from 'undici'
import WebSocket from 'ws'

const host = process.env.HOST!
const [hostname, port] = [host.split(':')[0]!, Number(host.split(':')[1])]
const url = `http://${host}`
const child = new URL('./child.mjs', import.meta.url)

test('fetch', () => fetch(`${url}/v1/models`).catch(swallow))

test('fetch, asset-like path', () => fetch(`${url}/logo.png`).catch(swallow))

test('fetch, asset-like upload', () =>
  fetch(`${url}/v1/files/a.js`, { method: 'POST', body: 'x' }).catch(swallow))

test('node:http', () => ended(httpRequest(`${url}/v1/models`).end()))

test('npm undici fetch', () => undici.fetch(`${url}/v1/models`).catch(swallow))

test('npm undici request', () => undici.request(`${url}/v1/models`).catch(swallow))

test('npm undici own pool', async () => {
  const pool = new undici.Pool(url)
  await pool.request({ path: '/v1/models', method: 'GET' }).catch(swallow)
  await pool.close()
})

test('global WebSocket', () => {
  const socket = new globalThis.WebSocket(`ws://${host}/v1/realtime`)
  return new Promise((resolve) => socket.addEventListener('close', resolve))
})

test('ws', () => ended(new WebSocket(`ws://${host}/v1/realtime`)))

test('node:net', async () => {
  const socket = net.connect(port, hostname)
  socket.write('\x00\x01 no HTTP')
  socket.resume()
  await ended(socket)
})

test('node:tls', async () => {
  const socket = tls.connect({ port, host: hostname })
  socket.write('\x00\x01 no HTTP')
  socket.resume()
  await ended(socket)
})

test('node:tls, by name', async () => {
  const socket = tls.connect({ port: 443, host: 'api.openai.com' })
  socket.write('\x00\x01 no HTTP')
  socket.resume()
  await ended(socket)
})

test('node:http2', async () => {
  const session = http2.connect(url)
  session.on('error', swallow)
  const stream = session.request({ ':path': '/v1/models' })
  stream.resume()
  await ended(stream)
  session.destroy()
})

test('gRPC', async () => {
  const Client = makeGenericClientConstructor({}, 'Prediction')
  const client = new Client(`ipv4:${host}`, credentials.createInsecure(), {
    'grpc.default_authority': 'aiplatform.googleapis.com',
  })
  const bytes = (value: Buffer): Buffer => value
  const deadline = Date.now() + 1_000
  await new Promise((resolve) => {
    client.makeUnaryRequest(
      '/Prediction/Predict',
      bytes,
      bytes,
      Buffer.from('x'),
      { deadline },
      resolve,
    )
  })
  client.close()
})

test('worker thread', () => once(new Worker(child, { argv: [host] }), 'exit'))

test('worker thread with an environment of its own', () =>
  once(new Worker(child, { env: { HOST: host }, execArgv: [] }), 'exit'))

test('child process, forked', () => once(fork(child), 'exit'))

test('child process, with an environment of its own', () =>
  once(spawn(process.execPath, [child.pathname], { env: { HOST: host } }), 'exit'))

test('child process, awaited', () => {
  execFileSync(process.execPath, [child.pathname], { stdio: 'ignore' })
})

test('child of a child', () => {
  const program = `require('node:child_process').spawnSync(process.execPath, [${JSON.stringify(child.pathname)}])`
  execFileSync(process.execPath, ['-e', program], { stdio: 'ignore' })
})

function swallow(): void {}

function ended(emitter: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['error', 'close', 'end', 'response']) emitter.once(event, () => resolve())
  })
}
