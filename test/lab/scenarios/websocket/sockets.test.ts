import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { edited } from '../changed.ts'
import { Conversation } from './realtime.ts'

const { UPSTREAM_URL, RECORD } = process.env
const sockets = UPSTREAM_URL!.replace('http', 'ws')
const isRecorded = RECORD === '1'
const url = `${sockets}/v1/realtime?model=gpt-realtime&api_key=sk-secret-in-the-url`
const headers = { authorization: 'Bearer sk-secret-in-a-header' }

// Clients look for the class when they are imported, and again when they open a socket.
expect(globalThis.WebSocket).toBe(globalThis.WebSocket)

test('the ws package', async () => {
  const conversation = new Conversation(new WebSocket(url, { headers }))
  await conversation.until('session.created')
  expect(await conversation.say('Hello')).toBe('You said: Hello')
  const again = edited('Again', 'Anew')
  expect(await conversation.say(again)).toBe(`You said: ${again}`)
  await conversation.close()
})

test('globalThis.WebSocket', async () => {
  const protocols = ['realtime', 'openai-insecure-api-key.sk-Xq7Lw2Rz9TbV4mKc8Pd1Yh6N']
  const conversation = new Conversation(new globalThis.WebSocket(url, protocols))
  await conversation.until('session.created')
  // The application gets the real answer, and replay what is stored of it.
  const key = isRecorded ? 'sk-Xq7Lw2Rz9TbV4mKc8Pd1Yh6N' : '<REDACTED:sec-websocket-protocol>'
  expect(await conversation.say('sk-Xq7Lw2Rz9TbV4mKc8Pd1Yh6N')).toBe(`You said: ${key}`)
  await conversation.close()
})

test('two conversations that differ in their beginning, in any order', async () => {
  const names = isRecorded ? ['one', 'two'] : ['two', 'one']
  const conversations = names.map((name) => {
    return { name, conversation: new Conversation(new WebSocket(url, { headers })) }
  })
  for (const { name, conversation } of conversations) {
    await conversation.until('session.created')
    expect(await conversation.say(`I am ${name}`)).toBe(`You said: I am ${name}`)
  }
  // Each says the same now, and what is answered has to belong to its own beginning.
  for (const { conversation } of conversations) {
    const before = conversation.history
    expect(await conversation.say('Same')).toBe('You said: Same')
    const added = conversation.events.find(({ type }) => type === 'conversation.item.added')
    expect(before).toContain(added!.previous_item_id)
    await conversation.close()
  }
})

test('the responses API of the SDK', async () => {
  const openai = new OpenAI({ apiKey: 'sk-secret', baseURL: `${UPSTREAM_URL}/v1` })
  const socket = new ResponsesWS(openai)
  const done = new Promise((resolve, reject) => {
    socket.on('response.completed', ({ response }) => resolve(response.output))
    socket.on('error', reject)
  })
  socket.send({ type: 'response.create', model: 'gpt-5', input: 'Hello' })
  expect(await done).toMatchObject([{ content: [{ text: 'You said: Hello' }] }])
  socket.close()
})

test('a socket that is refused at the door', async () => {
  const socket = new WebSocket(`${sockets}/v1/realtime/nowhere/v1/realtime`)
  const error = await new Promise<Error>((resolve) => socket.on('error', resolve))
  expect(error.message).toMatch(/Unexpected server response: 404/)
})
