import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'

const messages = [{ role: 'user', content: 'Who?' }]
const PROMPT = { model: 'llama', messages }

/** The servers of the machine, which are other processes. */
const at = JSON.parse(process.env.LOCAL!) as Record<string, string>

async function ask(url: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.text()
}

/** As axios and others ask. */
function askByHttp(url: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers }, async (response) => {
      resolve((await response.toArray()).join(''))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

test('asks models', async () => {
  const answers = [
    await ask(`${at.fetched}/ask?key=4711`, PROMPT),
    await ask(`${at.streamed}/ask/sse`, { ...PROMPT, stream: true }),
    await askByHttp(`${at.byHttp}/ask/ndjson`, { model: 'llama', prompt: 'Who?' }),
    // The path of Ollama.
    await ask(`${at.chat}/api/chat`, PROMPT),
  ]
  for (const answer of answers) expect(answer).toContain('llama')
})

test('asks what may be no model', async () => {
  await ask(`${at.others}/ask`, { car: 'llama', messages })
  await ask(`${at.others}/ask`, { model: 'llama', messages: [{ role: 'user', parts: [] }] })
  await ask(`${at.others}/ask`, { model: 'llama', colour: 'red' })
  await ask(`${at.others}/ask/html`, PROMPT)
  await ask(`${at.others}/ask/failed`, PROMPT)
  await ask(`${at.allowed}/ask`, PROMPT)
})

test('asks a mock', async () => {
  const server = setupServer(http.post(`${at.mocked}/mocked`, () => HttpResponse.json({})))
  server.listen({ onUnhandledRequest: 'bypass' })
  expect(await ask(`${at.mocked}/mocked`, PROMPT)).toBe('{}')
  server.close()
})

test('asks a server of this process', async () => {
  const own = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await once(own.listen(0), 'listening')
  const url = `http://localhost:${(own.address() as AddressInfo).port}/own`
  await ask(url, PROMPT)
  await askByHttp(url, PROMPT)
  own.close()
})

const SERVER = `
  const server = require('node:http').createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, () => console.log(server.address().port))
`

test('asks a server of a child', async () => {
  const child = spawn(process.execPath, ['-e', SERVER])
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  await ask(`http://localhost:${String(port).trim()}/child`, PROMPT)
  child.kill()
})
