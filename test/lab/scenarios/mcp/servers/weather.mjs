// A server of tools: over standard input and output as `weather.mjs`, over HTTP as `weather.mjs http`.
import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

const here = (file) => new URL(file, import.meta.url)

/** @param listening settles once the client takes messages that answer none of its own */
function weather(listening) {
  const server = new McpServer({ name: 'sky', version: '1.0.0' }, { capabilities: { logging: {} } })
  server.registerTool(
    'get_forecast',
    { description: 'The weather of tomorrow', inputSchema: { city: z.string() } },
    async ({ city }) => {
      appendFileSync(here('asked.txt'), `${city}\n`)
      const sky = readFileSync(here('sky.txt'), 'utf8').trim()
      return { content: [{ type: 'text', text: `${city}: ${sky}\nWind from the west.` }] }
    },
  )
  server.registerTool('fail', {}, () => {
    throw new Error('the sky has fallen')
  })
  server.registerTool('count', {}, async (extra) => {
    const progressToken = extra._meta?.progressToken
    for (const progress of [1, 2, 3])
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      })
    return { content: [{ type: 'text', text: 'three' }] }
  })
  server.registerTool(
    'ask_model',
    { inputSchema: { question: z.string() } },
    async ({ question }) => {
      // Before, the transport would drop the message, without a word.
      await listening
      const { content } = await server.server.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: question } }],
        maxTokens: 10,
      })
      return { content: [{ type: 'text', text: `The model says: ${content.text}` }] }
    },
  )
  server.registerTool('roots', {}, async () => {
    const { roots } = await server.server.listRoots()
    return { content: [{ type: 'text', text: `${roots.length} folder` }] }
  })
  server.registerTool('think', {}, async () => {
    const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hm?' }] })
    const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
    const headers = { 'content-type': 'application/json' }
    const { choices } = await (await fetch(url, { method: 'POST', headers, body })).json()
    return { content: [{ type: 'text', text: choices[0].message.content }] }
  })
  server.registerTool('leak', {}, () => ({
    content: [{ type: 'text', text: `The key is ${process.env.WEATHER_API_KEY}` }],
  }))
  server.registerTool('grow', {}, async () => {
    await listening
    server.registerTool('grown', {}, () => ({ content: [] }))
    return { content: [{ type: 'text', text: 'grown' }] }
  })
  server.registerTool('sleep', {}, () => new Promise(() => {}))
  server.registerResource('sky', 'sky://now', {}, () => ({
    contents: [{ uri: 'sky://now', text: readFileSync(here('sky.txt'), 'utf8') }],
  }))
  return server
}

/** Each is called once the client of a transport has opened the stream for messages that answer none of its own. */
const listeners = new WeakMap()

async function noteListening(transport, response) {
  while (!response.headersSent) await delay(10)
  listeners.get(transport)()
}

/** By its path a server keeps sessions, answers in JSON, or remembers nobody. */
async function transportFor({ url, headers }, sessions) {
  const known = sessions.get(headers['mcp-session-id'])
  if (known) return known
  const isStateless = url.includes('stateless')
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: isStateless ? undefined : randomUUID,
    enableJsonResponse: url.includes('json'),
    onsessioninitialized: (session) => void sessions.set(session, transport),
  })
  const { promise: listening, resolve } = Promise.withResolvers()
  listeners.set(transport, resolve)
  await weather(listening).connect(transport)
  return transport
}

if (process.argv[2] === 'http') {
  const sessions = new Map()
  const http = createServer(async (request, response) => {
    if (request.headers.authorization === 'Bearer none') return response.writeHead(401).end('Who?')
    const transport = await transportFor(request, sessions)
    if (request.method === 'GET') void noteListening(transport, response)
    await transport.handleRequest(request, response)
  })
  http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`))
} else await weather(undefined).connect(new StdioServerTransport())
