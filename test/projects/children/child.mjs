// Asks as Node programs do, by the transport that it is told, and prints what it got.
import http from 'node:http'
import http2 from 'node:http2'
import { json, text } from 'node:stream/consumers'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import OpenAI from 'openai'
import { WebSocket } from 'ws'

const [transport, question] = isMainThread ? process.argv.slice(2) : workerData
const base = process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'
const body = { model: 'gpt-5', messages: [{ role: 'user', content: question }] }
const said = ({ choices, error }) => choices?.[0].message.content ?? error.message

const ways = {
  fetch: async () =>
    said(
      await (
        await fetch(`${base}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
      ).json(),
    ),
  http: () =>
    new Promise((resolve, reject) => {
      http
        .request(`${base}/v1/chat/completions`, { method: 'POST' }, async (response) =>
          resolve(said(await json(response))),
        )
        .on('error', reject)
        .end(JSON.stringify(body))
    }),
  http2: async () => {
    const session = http2.connect(base).on('error', () => {})
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' })
    stream.end(JSON.stringify(body))
    const answer = said(JSON.parse(await text(stream)))
    session.destroy()
    return answer
  },
  sdk: async () => {
    // By the address that it finds in its environment.
    const stream = await new OpenAI().chat.completions.create({ ...body, stream: true })
    let answer = ''
    for await (const { choices } of stream) answer += choices[0].delta.content ?? ''
    return answer
  },
  socket: () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/realtime`)
      socket.on('error', reject)
      socket.on('open', () =>
        socket.send(
          JSON.stringify({ type: 'response.create', response: { instructions: question } }),
        ),
      )
      socket.on('message', (data) => {
        const { delta } = JSON.parse(String(data))
        if (delta) resolve(delta)
        else socket.close()
      })
    }),
}

const { CASSETTE } = process.env
const cassette =
  CASSETTE && (await import('vitest-cassette/open-cassette')).openCassette({ path: CASSETTE })
const answer = await ways[transport]().catch((error) => error.message)
await cassette?.close()
if (isMainThread) console.log(answer)
else parentPort.postMessage(answer)
