// Fakes of a suite's own: no cassette is written for what they answer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, inject, onTestFinished, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { askHttp2, clients } from './clients.ts'

const ANSWER = JSON.stringify({ choices: [{ message: { content: 'Fake' } }] })

function fake(): http.Server {
  return http.createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(ANSWER)
  })
}

// Listens before any hook of the file runs, and keeps nobody waiting.
const early = fake().listen(0).unref()

async function listens(server: net.Server, host?: string): Promise<number> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, host), 'listening')
  return (server.address() as AddressInfo).port
}

async function expectAnswer(answer: Promise<any>, content = 'Fake'): Promise<void> {
  expect((await answer).choices[0].message.content).toBe(content)
}

test.for([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
  ['0.0.0.0', '127.0.0.1'],
  ['::1', '[::1]'],
  ['::', '[::1]'],
  ['::', '127.0.0.1'],
  ['localhost', 'localhost'],
] as const)('listens at %s, and is asked at %s', async ([host, asked]) => {
  const url = `http://${asked}:${await listens(fake(), host)}`
  await expectAnswer(clients.fetch!(url, 'Hello'))
  await expectAnswer(clients['node:http']!(url, 'Hello'))
})

test('listens since its module was loaded', async () => {
  const { port } = early.address() as AddressInfo
  for (const name of Object.keys(clients))
    await expectAnswer(clients[name]!(`http://127.0.0.1:${port}`, `Hello by ${name}`))
})

test('is asked in the turn in which it begins to listen', async () => {
  const server = fake().listen(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expectAnswer(clients.fetch!(`http://127.0.0.1:${port}`, 'Hello'))
})

test('speaks HTTP/2', async () => {
  const server = http2.createServer((_, response) => response.end(ANSWER))
  await expectAnswer(askHttp2(`http://127.0.0.1:${await listens(server)}`, 'Hello'))
})

test('is a server of bare sockets', async () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}`
  const server = net.createServer((socket) => {
    socket.once('data', () => socket.end(`${head}\r\nconnection: close\r\n\r\n${ANSWER}`))
  })
  await expectAnswer(clients.fetch!(`http://127.0.0.1:${await listens(server)}`, 'Hello'))
})

test('is a server of sockets of the web', async () => {
  const server = fake()
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('Fake'))
  const url = `ws://127.0.0.1:${await listens(server)}/v1/realtime?model=gpt-realtime`
  for (const Socket of [WebSocket, globalThis.WebSocket]) {
    const socket = new Socket(url)
    const said = await new Promise((resolve, reject) => {
      socket.onmessage = ({ data }: { data: unknown }) => resolve(String(data))
      socket.onerror = reject
    })
    socket.close()
    expect(said).toBe('Fake')
  }
})

test('listens in a thread', async () => {
  const code = `const server = require('node:http').createServer((_, response) => response.end(${JSON.stringify(ANSWER)}))
server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`
  const worker = new Worker(code, { eval: true })
  onTestFinished(() => void worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  await expectAnswer(clients.fetch!(`http://127.0.0.1:${port}`, 'Hello'))
  await expectAnswer(clients.curl!(`http://127.0.0.1:${port}`, 'Hello'))
})

const PYTHON = `import http.server
class Fake(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'${ANSWER}')
    def log_message(self, *_): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Fake)
print(server.server_port, flush=True)
server.serve_forever()`

test.for([
  ['by itself', 'python3', ['-c', PYTHON]],
  ['by a shell that ends', 'sh', ['-c', 'python3 -c "$0" & sleep 1', PYTHON]],
] as const)('is a program of another language, started %s', async ([, command, args]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  onTestFinished(() => void process.kill(-child.pid!))
  const ended = once(child, 'exit')
  const [port] = (await once(child.stdout!, 'data')) as [Buffer]
  if (command === 'sh') await ended
  await expectAnswer(clients.fetch!(`http://127.0.0.1:${Number(port)}`, 'Hello'))
})

test('has closed, and cannot be reached', async () => {
  const server = fake()
  const port = await listens(server)
  server.close()
  await once(server, 'close')
  await expect(clients.fetch!(`http://127.0.0.1:${port}`, 'Hello')).rejects.toThrow('fetch failed')
})

test('is asked by the base URL of a program', async () => {
  const url = `http://127.0.0.1:${await listens(fake())}`
  const env = { ...process.env, OPENAI_BASE_URL: `${url}/v1` }
  const script = 'curl -s -d "{}" "$OPENAI_BASE_URL/chat/completions"'
  const child = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = (await once(child.stdout!, 'data')) as [Buffer]
  expect(String(said)).toBe(ANSWER)
})

test('listens in the process of the run', async () => {
  await expectAnswer(clients.fetch!(inject('fake'), 'Hello'), 'Fake of the run')
  await expectAnswer(clients.curl!(inject('fake'), 'Hello'), 'Fake of the run')
})
