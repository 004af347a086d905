import { fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import * as undici from 'undici'

const url = process.env.ECHO_URL!
const { host, hostname, port } = new URL(url)
const child = new URL('child.mjs', import.meta.url)

// Where recordings are made, they would be recorded: here they are tried where nothing is.
const free = test.skipIf(process.env.RECORD === '1')

free('fetch', async () => {
  expect((await fetch(`${url}/v1/models`)).status).toBe(200)
})

free('npm undici fetch', async () => {
  expect((await undici.fetch(`${url}/v1/models`)).status).toBe(200)
})

free('node:net', async () => {
  const socket = net.connect(Number(port), hostname)
  socket.write('\x00\x01 no HTTP\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toContain('400 Bad Request')
})

free('worker thread', async () => {
  const [code] = await once(new Worker(child, { argv: [host] }), 'exit')
  expect(code).toBe(0)
})

free('child process, forked', async () => {
  const [code] = await once(fork(child, [host]), 'exit')
  expect(code).toBe(0)
})
