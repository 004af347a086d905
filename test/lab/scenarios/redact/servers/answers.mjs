// Answers with all customers and accounts that it was asked for, three characters a piece, in each kind of body.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { said } from './said.mjs'

const pieces = (answer) => answer.match(/.{1,3}/gs) ?? []

const server = createServer(async (request, response) => {
  const { url } = request
  const asked = url + (await text(request))
  const answer = said(asked)
  const send = (type, body, headers = {}) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)
  const completion = (delta) => ({ id: 'a', choices: [{ index: 0, ...delta }] })
  if (url.startsWith('/v1/chat/completions') && asked.includes('"stream":true')) {
    const events = pieces(answer).map((content) => completion({ delta: { content } }))
    const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    send('text/event-stream', [...lines, 'data: [DONE]\n\n'].join(''))
  } else if (url.startsWith('/api/chat')) {
    const lines = pieces(answer).map((content) => ({ message: { role: 'assistant', content } }))
    const all = [...lines, { message: { role: 'assistant', content: '' }, done: true }]
    send('application/x-ndjson', all.map((line) => `${JSON.stringify(line)}\n`).join(''))
  } else if (url.includes('/converse-stream')) {
    const frames = [
      frame('messageStart', { role: 'assistant' }),
      ...pieces(answer).map((one) =>
        frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: one } }),
      ),
      frame('messageStop', { stopReason: 'end_turn' }),
    ]
    send('application/vnd.amazon.eventstream', Buffer.concat(frames))
  } else if (url.startsWith('/mcp')) {
    const { id } = JSON.parse(asked.slice(asked.indexOf('{')))
    const result = { content: [{ type: 'text', text: answer }] }
    send('application/json', JSON.stringify({ jsonrpc: '2.0', id, result }))
  } else {
    const message = { role: 'assistant', content: answer }
    const body = { ...completion({ message, finish_reason: 'stop' }), text: answer }
    send('application/json', JSON.stringify(body), { 'x-customers': answer })
  }
})

function frame(name, data) {
  const headers = Object.entries({
    ':event-type': name,
    ':content-type': 'application/json',
    ':message-type': 'event',
  }).map(([key, value]) =>
    Buffer.concat([
      Buffer.from([key.length]),
      Buffer.from(key),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]),
  )
  const head = Buffer.concat(headers)
  const payload = Buffer.from(JSON.stringify(data))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + payload.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const whole = Buffer.concat([prelude, head, payload])
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(whole))
  return Buffer.concat([whole, end])
}

new WebSocketServer({ server }).on('connection', (socket) =>
  socket.on('message', (data) => {
    for (const delta of pieces(said(String(data))))
      socket.send(JSON.stringify({ type: 'response.output_text.delta', delta }))
    socket.send(JSON.stringify({ type: 'response.done' }))
  }),
)

server.listen(0, '127.0.0.1', () => console.log(server.address().port))
