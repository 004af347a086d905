// Closes its cassette while requests are on their way, and tells what became of them.
import { request } from 'node:http'
import { openCassette } from 'vitest-cassette/open-cassette'

const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
const headers = { 'content-type': 'application/json' }
const bodyOf = (question) => {
  const content = `${question}${process.env.CHANGED ?? ''}`
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
}
const begin = () => {
  const client = request(url, { method: 'POST', headers })
  client.on('response', (response) => response.resume())
  client.on('error', () => {})
  return client
}

const cassette = openCassette({ path: 'cassettes/unawaited.json' })
void fetch(url, { method: 'POST', headers, body: bodyOf('first') }).then((response) =>
  response.text(),
)
const second = begin()
setTimeout(() => second.end(bodyOf('second')), 50)
const never = begin()
if (!process.env.NEVER) never.destroy()
const errors = []
await cassette.close().catch((error) => errors.push(error.message))
never.end(bodyOf('never'))
if (process.env.NEVER) await new Promise((resolve) => setTimeout(resolve, 500))
console.log(JSON.stringify({ errors, exchanges: cassette.exchanges.length }))
process.exit()
