import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { Conversation } from '../lab/scenarios/websocket/realtime.ts'
import { SOCKETS } from './addresses.ts'
import { questions } from './wires.ts'

const GEMINI_LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const turns = [{ role: 'user', parts: [{ text: 'Where is my order?' }] }]

/** One test, and so one cassette, for each wire format and kind of answer. What is answered is held byte by byte. */
export function testEveryWire(): void {
  test.for(questions)('$name', async ({ url, headers, body }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const type = response.headers.get('content-type')
    const bytes = Buffer.from(await response.arrayBuffer())
    const isText = /json|text/.test(type!)
    const said = isText ? bytes.toString() : bytes.toString('base64')
    expect(`${response.status} ${type}\n${said}`).toMatchSnapshot()
  })

  test('openai-realtime, socket', async () => {
    const url = `${SOCKETS}/v1/realtime?model=gpt-realtime`
    const conversation = new Conversation(new WebSocket(url))
    await conversation.until('session.created')
    await conversation.say('Where is my order?')
    await conversation.close()
    expect(conversation.history).toMatchSnapshot()
  })

  test('gemini-live, socket', async () => {
    const socket = new WebSocket(SOCKETS + GEMINI_LIVE)
    const frames: string[] = []
    const ends = Promise.withResolvers<void>()
    socket.addEventListener('message', ({ data }) => {
      frames.push(String(data))
      if (frames.length === 1) socket.send(JSON.stringify({ clientContent: { turns } }))
      else if (String(data).includes('turnComplete')) ends.resolve()
    })
    socket.addEventListener('close', () => ends.resolve())
    await once(socket, 'open')
    socket.send(JSON.stringify({ setup: { model: 'models/gemini-2.5-flash' } }))
    await ends.promise
    socket.close()
    expect(frames).toMatchSnapshot()
  })
}

/** A tool of an MCP server, which is a process. */
export function testServerProcess(): void {
  test('mcp, standard input and output', async () => {
    const server = spawn(process.execPath, [`${import.meta.dirname}/tool-server.mjs`])
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const said: unknown[] = []
    const ask = async (message: object, answers: number): Promise<void> => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      for (let at = 0; at < answers; at++) said.push((await lines.next()).value)
    }
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'tests' },
    }
    await ask({ id: 1, method: 'initialize', params }, 1)
    await ask({ method: 'notifications/initialized' }, 0)
    const call = { name: 'look_up', arguments: { order: 7 }, _meta: { progressToken: 'p' } }
    await ask({ id: 2, method: 'tools/call', params: call }, 2)
    server.stdin.end()
    expect(said).toMatchSnapshot()
  })
}
