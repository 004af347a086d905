// Asks once, and tells how much of the package was loaded for it, and how many of its functions ran.
import { statSync } from 'node:fs'
import http from 'node:http'
import { Session } from 'node:inspector/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const [, , way] = process.argv
const { UPSTREAM_URL } = process.env
const prompt = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })

const ways = {
  async fetch() {
    const init = { method: 'POST', body: prompt }
    return (await fetch(`${UPSTREAM_URL}/v1/chat/completions`, init)).text()
  },
  async far() {
    const init = { method: 'POST', body: prompt }
    return (await fetch('https://api.openai.com/v1/chat/completions', init)).text()
  },
  async http() {
    const response = await new Promise((resolve, reject) => {
      http
        .request(`${UPSTREAM_URL}/v1/chat/completions`, { method: 'POST' }, resolve)
        .on('error', reject)
        .end(prompt)
    })
    return text(response)
  },
  socket() {
    const address = `${UPSTREAM_URL.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`
    const socket = new WebSocket(address)
    socket.addEventListener('open', () => {
      const content = [{ type: 'input_text', text: 'Hi' }]
      const item = { type: 'message', role: 'user', content }
      socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
      socket.send(JSON.stringify({ type: 'response.create' }))
    })
    return new Promise((resolve, reject) => {
      socket.addEventListener('close', () => reject(new Error('The socket was closed.')))
      socket.addEventListener('message', ({ data }) => {
        if (JSON.parse(data).type !== 'response.done') return
        resolve('done')
        socket.close()
      })
    })
  },
}

// Node's own clients are loaded by any program that asks.
await fetch('data:,')
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const { openCassette } = await import('vitest-cassette/open-cassette')
const cassette = openCassette({ path: `cassettes/${way}.json` })
const answer = await ways[way]()
const { result } = await session.post('Profiler.takePreciseCoverage')
await cassette.close()

// The part of MSW that this package ships counts among the code of others, which it is.
const isOwn = ({ url }) => /vitest-cassette\/dist\/(?!msw-)/.test(url)
const own = result.filter(isOwn)
const others = result.filter((one) => one.url.includes('/node_modules/') && !isOwn(one))
const ran = own.flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0].count > 0))
console.log(
  JSON.stringify({ answer, kb: sizeOf(own), functions: ran.length, othersKb: sizeOf(others) }),
)

function sizeOf(scripts) {
  const paths = scripts.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  return Math.round(bytes / 1_000)
}
