import { connect } from 'node:http2'
import { expect, test } from 'vitest'
import { converse, converseInPieces, invoke } from './bedrock.ts'

const isChanged = process.env.CHANGED === '1'

test('converses', async () => {
  const question = isChanged ? 'How do you do?' : 'How are you?'
  expect(await converse(question)).toBe(`You said: ${question}`)
  expect(await converse('And you?')).toBe('You said: And you?')
})

test('streams a conversation', async () => {
  const question = isChanged ? 'Count to two' : 'Count to ten'
  const pieces = await converseInPieces(question)
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toBe(`You said: ${question}`)
})

test('invokes a model', async () => {
  expect(await invoke('Count to ten')).toBe('You said: Count to ten')
})

test('asks with a connection of its own', async () => {
  const answer = await ask(
    process.env.UPSTREAM_URL || 'https://api.openai.com',
    '/v1/chat/completions',
  )
  expect(JSON.parse(answer).choices[0].message.content).toBe('You said: Hello')
})

test.runIf(isChanged)('opens a two-way stream', async () => {
  await ask('https://api.openai.com', '/model/nova/invoke-with-bidirectional-stream')
})

async function ask(authority: string, path: string): Promise<string> {
  const session = connect(authority)
  session.on('error', () => {})
  const stream = session.request({ ':method': 'POST', ':path': path })
  stream.end(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }))
  let text = ''
  for await (const chunk of stream) text += chunk
  session.close()
  return text
}
