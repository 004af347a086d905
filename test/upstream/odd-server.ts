import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { answerOddly, type Question } from './odd-answers.ts'

/** A request that the odd server has got. */
export interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A small server for the answers that aimock cannot give. The last message of a chat request says
 * which: `status 429`, `status 429 once`, `reset once`, `cut once`, `cut`, `slow`, `mute` (never answers), `stuck` (begins and never ends), `endless` (goes on for ever), `pretty`, `gzip`, `binary`, `numbered` (says
 * how often it was asked), `good, then status 404` (`good` when it is asked first), `renewed` (has an id of its own), `uneven 0` and `uneven 1` (every other answer is late); anything else is
 * echoed, over WebSockets too. `GET /count` tells how many requests it has answered, each handshake and each
 * message of a WebSocket among them; `GET /asked` has all that are no WebSocket.
 */
export async function startOddServer(): Promise<{ url: string }> {
  let count = 0
  const asked: Asked[] = []
  const failedOnce = new Set<string>()
  const turned = new Set<string>()
  const times = new Map<string, number>()
  const server = createServer(async (request, response) => {
    if (request.url === '/count') return void response.end(String(count))
    if (request.url === '/seen')
      return void response.end(JSON.stringify(asked.at(-1)?.headers ?? {}))
    if (request.url === '/asked') return void response.end(JSON.stringify(asked))
    if (request.url === '/go') {
      held.emit('go')
      return void response.end()
    }
    count++
    const body = await readBody(request).catch(() => undefined)
    // Whoever asked was killed while it did.
    if (body === undefined) return
    asked.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    const asking = readQuestion(request.url!, body)
    const [, first, later] = /^(\w+), then (.+)$/.exec(asking.text) ?? []
    const text = (turned.has(asking.text) ? later : first) ?? asking.text
    turned.add(asking.text)
    const question = { ...asking, text }
    const [, failing, status, once] = /^(reset|status (\d+)|cut(?= once))( once)?/.exec(text) ?? []
    const fails = failing !== undefined && !(once && failedOnce.has(text))
    failedOnce.add(text)
    if (fails && failing === 'reset') return void request.socket.resetAndDestroy()
    if (fails && status) {
      response.writeHead(Number(status), {
        'content-type': 'application/json',
        'retry-after-ms': '1',
      })
      return void response.end(JSON.stringify({ error: { message: `asked for ${status}` } }))
    }
    times.set(text, (times.get(text) ?? 0) + 1)
    await delay(lateness(text, times.get(text)!))
    const said = text.startsWith('numbered')
      ? `${text} (${times.get(text)})`
      : text.startsWith('header ')
        ? `${text} (${request.headers['openai-organization']})`
        : text
    if (failing === 'cut') return streamSlowly(response, fails)
    answer({ ...question, text: said }, response)
  })
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }, accept) => void (req.url!.includes('mute') || accept(true)),
  })
  sockets.on('connection', (socket) => {
    count++
    socket.on('message', async (data) => {
      count++
      const { response } = JSON.parse(String(data))
      if (response.instructions === 'endless') {
        const send = (): void => socket.send(JSON.stringify({ type: 'ping' }))
        const timer = setInterval(send, 50)
        return void socket.once('close', () => clearInterval(timer))
      }
      // So long a model thinks before its first word.
      await delay(150)
      const delta = `Odd: ${response.instructions}`
      socket.send(JSON.stringify({ type: 'response.output_text.delta', delta }))
      socket.send(JSON.stringify({ type: 'response.done' }))
    })
  })
  // Longer than a busy machine holds up a client, which would ask over a connection that is gone.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** `uneven 0` and `uneven 1` take turns at being late, so that what ends first changes every time. */
function lateness(text: string, time: number): number {
  const [, parity] = /^uneven (\d)/.exec(text) ?? []
  return parity && (time + Number(parity)) % 2 === 0 ? 200 : 0
}

function answer(question: Question, response: ServerResponse): void {
  const { text } = question
  const [command] = text.split(' ')
  const completion = {
    // Real providers send nothing twice.
    id: question.text.startsWith('renewed') ? `odd-${randomUUID()}` : 'odd-1',
    model: 'odd',
    choices: [choice(text)],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  }
  switch (command) {
    case 'pretty':
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(
        JSON.stringify({ ...completion, temperature: '1.0' }, null, 2).replace('"1.0"', '1.0') +
          '\n',
      )
    case 'binary':
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      return void response.end(Buffer.from([0xff, 0xfb, 0x90, 0x00, 0xc3, 0x28]))
    case 'held':
      return void streamHeld(response)
    case 'mute':
      return
    case 'stuck':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write(chunksOf(['one ', 'two ']).join(''))
    case 'endless':
      return streamForEver(response)
    case 'slow':
    case 'cut':
      return streamSlowly(response, command === 'cut')
    default:
      if (answerOddly(question, completion, response)) return
      response.writeHead(200, {
        'content-type': 'application/json',
        'set-cookie': 'session=1',
        'openai-organization': 'org-1',
      })
      return void response.end(JSON.stringify(completion))
  }
}

function choice(text: string): object {
  return {
    index: 0,
    message: { role: 'assistant', content: `Odd: ${text}` },
    finish_reason: 'stop',
  }
}

/** Tells that an application has read the beginning of an answer whose rest is held back. */
const held = new EventEmitter()

/** One event, and the others once `GET /go` says that it was read; without that, the connection breaks. */
async function streamHeld(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunksOf(['one '])[0])
  const isRead = await Promise.race([once(held, 'go'), delay(5_000, undefined, { ref: false })])
  if (!isRead) return void response.destroy()
  response.end(`${chunksOf(['', 'two ', 'three']).slice(1).join('')}data: [DONE]\n\n`)
}

function chunksOf(texts: string[]): string[] {
  return texts
    .map((content, index) => ({
      id: 'odd-1',
      choices: [{ index: 0, delta: { content }, finish_reason: index === 2 ? 'stop' : null }],
    }))
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
}

/** Four events, 60 ms apart; a cut stream loses its connection after the second. */
function streamSlowly(response: ServerResponse, cut: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = chunksOf(['one ', 'two ', 'three'])
  const send = (index: number): void => {
    if (cut && index === 2) return void response.destroy()
    response.write(events[index] ?? 'data: [DONE]\n\n')
    if (index === events.length) response.end()
    else setTimeout(send, 60, index + 1)
  }
  send(0)
}

/** An event every 100 ms, until the client leaves. */
function streamForEver(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const timer = setInterval(() => response.write(chunksOf(['on '])[0]), 100)
  response.once('close', () => clearInterval(timer))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
}

function readQuestion(url: string, body: string): Question {
  const path = url.split('?')[0]!
  try {
    const { messages, input, prompt, stream = false } = JSON.parse(body)
    const said = (messages ?? input)?.at(-1)?.content ?? input ?? prompt
    const text = String(Array.isArray(said) ? said.at(-1).text : said)
    return { path, text, stream }
  } catch {
    return { path, text: '', stream: false }
  }
}
