// Values of the user's rules, over every way in which a request can be sent.
import { execFile, spawnSync } from 'node:child_process'
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, inject, test, type TestContext } from 'vitest'
import WebSocket from 'ws'
import { edited } from '../changed.ts'

const url = inject('answersUrl')
const json = { 'content-type': 'application/json' }
const messages = (prompt: string) => [{ role: 'user', content: prompt }]
const body = (prompt: string, more = {}) =>
  JSON.stringify({ model: 'gpt-5', messages: messages(prompt), ...more })

async function post(path: string, sent: BodyInit, headers?: HeadersInit): Promise<Response> {
  return fetch(url + path, { method: 'POST', body: sent, ...(headers ? { headers } : {}) })
}

/** What a stream says, of pieces that hold a text at one place. */
const joined = (stream: string, key: string): string =>
  Array.from(
    stream.matchAll(new RegExp(`"${key}":"([^"]*)"`, 'g')),
    ([, piece = '']) => piece,
  ).join('')

/** What is answered to a prompt. */
type Ask = (prompt: string, cassette: TestContext['cassette']) => Promise<string>

const TRANSPORTS: Record<string, Ask> = {
  fetch: async (prompt) => (await post('/v1/chat/completions', body(prompt), json)).text(),
  async header(prompt) {
    const { headers } = await post('/v1/chat/completions', body(prompt), json)
    return headers.get('x-customers')!
  },
  async 'server-sent events'(prompt) {
    const sent = body(prompt, { stream: true })
    return joined(await (await post('/v1/chat/completions', sent, json)).text(), 'content')
  },
  async 'JSON lines'(prompt) {
    return joined(await (await post('/api/chat', body(prompt), json)).text(), 'content')
  },
  async frames(prompt) {
    const sent = JSON.stringify({ messages: [{ role: 'user', content: [{ text: prompt }] }] })
    return joined(await (await post('/model/m/converse-stream', sent, json)).text(), 'text')
  },
  async 'multipart form'(prompt) {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('prompt', prompt)
    form.set('file', new Blob([`A call of ${prompt}`]), 'call.wav')
    return (await post('/v1/audio/transcriptions', form)).text()
  },
  async 'urlencoded form'(prompt) {
    return (await post('/v1/chat/completions', new URLSearchParams({ prompt }))).text()
  },
  async query(prompt) {
    return (await fetch(`${url}/v1/files?${new URLSearchParams({ about: prompt })}`)).text()
  },
  async path(prompt) {
    return (await fetch(`${url}/v1/files/${encodeURIComponent(prompt)}/content`)).text()
  },
  'node:http': (prompt) =>
    new Promise((resolve, reject) => {
      const sent = body(prompt)
      const headers = { ...json, 'content-length': Buffer.byteLength(sent) }
      request(`${url}/v1/chat/completions`, { method: 'POST', headers }, (response) =>
        resolve(text(response)),
      )
        .on('error', reject)
        .end(sent)
    }),
  async 'Node child'(prompt) {
    const script = `fetch(process.argv[1], { method: 'POST', headers: { 'content-type': 'application/json' }, body: process.argv[2] }).then((r) => r.text()).then(console.log)`
    const args = ['-e', script, `${url}/v1/chat/completions`, body(prompt)]
    return (await promisify(execFile)(process.execPath, args)).stdout
  },
  async curl(prompt, cassette) {
    const args = ['-sS', `${cassette.baseUrl(url)}/v1/chat/completions`]
    const sent = ['-H', 'content-type: application/json', '-d', body(prompt)]
    return (await promisify(execFile)('curl', [...args, ...sent])).stdout
  },
  async socket(prompt) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`)
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    let answer = ''
    const done = new Promise<string>((resolve, reject) => {
      socket.on('close', (code, reason) => reject(new Error(`${code} ${String(reason)}`)))
      socket.on('message', (data) => {
        const { type, delta } = JSON.parse(String(data))
        if (type === 'response.done') resolve(answer)
        else answer += delta
      })
    })
    socket.send(JSON.stringify({ type: 'response.create', response: { instructions: prompt } }))
    const all = await done
    socket.close()
    return all
  },
  async 'tool over HTTP'(prompt) {
    return (await post('/mcp/notes', JSON.stringify(call(prompt)), json)).text()
  },
  async 'tool over stdio'(prompt) {
    const client = new Client({ name: 'tests', version: '1' })
    const args = [`${import.meta.dirname}/servers/notes.mjs`]
    await client.connect(new StdioClientTransport({ command: process.execPath, args }))
    const { content } = await client.callTool(call(prompt).params)
    await client.close()
    return JSON.stringify(content)
  },
}

const call = (about: string) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'note', arguments: { about } },
})

if (spawnSync('curl', ['--version']).status !== 0) delete TRANSPORTS.curl

const [one, other] = ['C-111111', 'C-222222']

describe.for(Object.entries(TRANSPORTS))('%s', ([, ask]) => {
  test('the same values', async ({ cassette }) => {
    expect(await ask(`Compare ${one} with ${other}.`, cassette)).toContain(
      `said ${one} and ${other}`,
    )
    expect(await ask(`And ${other}?`, cassette)).toContain(`said ${other}`)
  })

  test('the values of this run', async ({ cassette }) => {
    const [first, second] = [edited(one, 'C-444444'), edited(other, 'C-555555')]
    expect(await ask(`Compare ${first} with ${second}.`, cassette)).toContain(
      `said ${first} and ${second}`,
    )
    expect(await ask(`And ${second}?`, cassette)).toContain(`said ${second}`)
  })

  test('one named twice', async ({ cassette }) => {
    await ask(`Compare ${one} with ${edited(other, one)}.`, cassette)
  })

  test('another exchange names the other', async ({ cassette }) => {
    await ask(`Compare ${one} with ${other}.`, cassette)
    await ask(`And ${edited(other, one)}?`, cassette)
  })

  test('checked', async ({ cassette }) => {
    expect(await ask(`Account ${edited('K-4711', 'K-4712')}`, cassette)).toBeDefined()
  })
})
