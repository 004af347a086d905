import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import WebSocket from 'ws'

const { ECHO_URL: SERVER, NAME, PROTOCOLS = '', BINARY } = process.env

const url = `${SERVER!.replace('http', 'ws')}/v1/realtime?model=m`
const protocols = PROTOCOLS.split(',').filter(Boolean)
const headers = NAME === undefined ? {} : { Host: NAME }
const host = NAME ?? new URL(SERVER!).host
const HELLO = '{"type":"session.update"}'
const said = BINARY ? Buffer.from(HELLO) : HELLO

interface Socket {
  send(frame: string | Buffer<ArrayBuffer>): void
  close(): void
  addEventListener(name: 'open' | 'message' | 'close' | 'error', listen: (event: any) => void): void
}

/** Sends a frame, and resolves to what the server saw. */
function ask(socket: Socket): Promise<object> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => socket.send(said))
    socket.addEventListener('message', ({ data }) => {
      resolve(JSON.parse(String(data)))
      socket.close()
    })
    socket.addEventListener('error', () => reject(new Error('refused')))
    socket.addEventListener('close', ({ reason }) => reject(new Error(reason)))
  })
}

const seen = {
  isBinary: BINARY !== undefined,
  protocols: expect.stringContaining(protocols[0] ?? ''),
}

test('ws', async () => {
  expect(await ask(new WebSocket(url, protocols, { headers }))).toMatchObject({ ...seen, host })
})

test('ws by a URL', async () => {
  expect(await ask(new WebSocket(new URL(url), protocols, { headers }))).toMatchObject({
    ...seen,
    host,
  })
})

test('ws in a child', async () => {
  const program = `const WebSocket = require('ws')
    const { url, protocols, headers, said, isBinary } = JSON.parse(process.env.ASKED)
    const socket = new WebSocket(url, protocols, { headers })
    socket.on('open', () => socket.send(isBinary ? Buffer.from(said) : said))
    socket.on('message', (data) => { console.log(String(data)); socket.close() })
    socket.on('close', (code, reason) => console.log(String(reason)))`
  const isBinary = BINARY !== undefined
  const asked = { url, protocols, headers, said: HELLO, isBinary }
  const env = { ...process.env, ASKED: JSON.stringify(asked) }
  const child = spawn(process.execPath, ['-e', program], { env })
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ ...seen, host })
})

// It sends the host of the address.
test('globalThis.WebSocket', async () => {
  expect(await ask(new globalThis.WebSocket(url, protocols) as Socket)).toMatchObject(seen)
})
