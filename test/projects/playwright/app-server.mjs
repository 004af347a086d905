// A page that asks its server, which streams what a model answers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'
import OpenAI from 'openai'
import { WebSocketServer } from 'ws'
import { baseUrlFrom } from 'vitest-cassette/base-url-from'

const PAGE = `<!doctype html><title>Chat</title>
<form><input name="question" aria-label="Question"><button>Ask</button></form><div role="log"></div>
<script>
  const log = document.querySelector('[role=log]')
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault()
    const question = new FormData(event.target).get('question')
    const { body } = await fetch('/ask?q=' + encodeURIComponent(question))
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) log.append(piece.value)
  }
</script>`

const openai = new OpenAI({ maxRetries: 0 })
// One line in the server, where it is not Node that is told by its environment.
const clientFor = (headers) =>
  process.env.ASK_BY_HEADER
    ? openai.withOptions({ baseURL: baseUrlFrom(headers, process.env.OPENAI_BASE_URL) })
    : openai

if (process.env.ASK_AT_START) {
  await openai.chat.completions.create({ model: 'gpt-5', messages: [] }).catch(() => {})
  const asks = `fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: '{}' })`
  await once(new Worker(`${asks}.catch(() => {})`, { eval: true }), 'exit')
}

async function* answer(headers, question) {
  const stream = await clientFor(headers).chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [
      { role: 'system', content: process.env.SYSTEM ?? 'Answer in one sentence.' },
      { role: 'user', content: question },
    ],
  })
  for await (const { choices } of stream) yield choices[0]?.delta?.content ?? ''
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://app')
  if (url.pathname !== '/ask') return response.setHeader('content-type', 'text/html').end(PAGE)
  const question = url.searchParams.get('q')
  if (process.env.LATE) {
    response.end(`You said: ${question}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  try {
    for await (const piece of answer(request.headers, question)) response.write(piece)
    response.end()
  } catch {
    response.end('Sorry, something went wrong.')
  }
}).listen(process.env.PORT)

new WebSocketServer({ server }).on('connection', (socket, { headers }) => {
  socket.on('message', async (question) => {
    let said = ''
    for await (const piece of answer(headers, String(question))) said += piece
    socket.send(said)
  })
})
