import { connect } from 'node:http2'
import { expect, test } from 'vitest'
import { converse, converseInPieces, invoke } from './bedrock.ts'

test('converses', async () => {
  expect(await converse('How are you?')).toBe('You said: How are you?')
  expect(await converse('And you?')).toBe('You said: And you?')
})

test('streams a conversation', async () => {
  const pieces = await converseInPieces('Count to ten')
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toBe('You said: Count to ten')
})

test('invokes a model', async () => {
  expect(await invoke('Count to ten')).toBe('You said: Count to ten')
})

test('asks with a connection of its own', async () => {
  const session = connect(process.env.ENDPOINT ?? 'https://api.openai.com')
  session.on('error', () => {})
  const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' })
  stream.end(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }))
  let text = ''
  for await (const chunk of stream) text += chunk
  session.close()
  expect(JSON.parse(text).choices[0].message.content).toBe('You said: Hello')
})
