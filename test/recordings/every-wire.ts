import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Conversation } from '../projects/websocket/realtime.ts'
import { SOCKETS } from './addresses.ts'
import { laterQuestions, questions, type Question } from './wires.ts'

const GEMINI_LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const turns = [{ role: 'user', parts: [{ text: 'Where is my order?' }] }]

/** One test, and so one cassette, for each wire format and kind of answer. What is answered is held byte by byte. */
export function testEveryWire(asked: Question[] = [...questions, ...laterQuestions]): void {
  test.for(asked)('$name', async ({ url, headers, body }) => {
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
