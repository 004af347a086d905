// Each of these asks a provider, or a model, on a connection to an address that says nothing of it.
import { request as httpRequest } from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { test } from 'vitest'

const gateway = process.env.GATEWAY!
const [host, port] = [gateway.split(':')[0]!, Number(gateway.split(':')[1])]
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'secret' }] })
const headers = { authorization: 'Bearer secret' }
const asked = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${gateway}\r\nauthorization: Bearer secret\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test('provider by address, named by the header', () =>
  ended(
    httpRequest({
      host,
      port,
      path: '/v1/models',
      headers: { ...headers, host: 'api.openai.com' },
    }).end(),
  ))

test('provider by address, named by TLS', () => {
  const socket = tls.connect({ host, port, servername: 'api.openai.com' })
  socket.write('\x00\x01 no HTTP')
  return ended(socket.resume())
})

test('provider by address, named by HTTP/2', async () => {
  const session = http2.connect(`http://${gateway}`).on('error', swallow)
  const stream = session.request({
    ':path': '/v1/models',
    ':authority': 'api.openai.com',
    ...headers,
  })
  await ended(stream.resume())
  session.destroy()
})

test('provider with a dot behind its name', () =>
  fetch('https://API.OpenAI.com./v1/models', { headers }).catch(swallow))

test('provider by a proxy that gets the whole address', () =>
  ended(httpRequest({ host, port, path: 'http://api.openai.com/v1/models', headers }).end()))

test('provider by a tunnel that is asked for in pieces', () =>
  write(
    'CONN',
    'ECT api.openai.com:443 HTTP/1.1\r\n',
    'proxy-authorization: secret\r\n\r\n',
    'GET /v1/models HTTP/1.1\r\nhost: api.openai.com\r\nauthorization: Bearer secret\r\nconnection: close\r\n\r\n',
  ))

test('provider by SOCKS', () =>
  write(
    Buffer.from('050100', 'hex'),
    Buffer.from('050100030e6170692e6f70656e61692e636f6d0050', 'hex'),
  ))

test('LLM call on another host, by PUT', () =>
  ended(
    httpRequest({ host, port, method: 'PUT', path: '/v1/chat/completions', headers }).end(body),
  ))

test('LLM call on another host, in single bytes', () => write(...asked))

test('LLM call on another host, after an empty line', () => write(`\r\n${asked}`))

async function write(...pieces: Array<string | Buffer>): Promise<void> {
  const socket = net.connect(port, host)
  const end = ended(socket.resume())
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise(setImmediate)
  }
  await end
}

function swallow(): void {}

function ended(emitter: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['error', 'close', 'end', 'response']) emitter.once(event, () => resolve())
  })
}
