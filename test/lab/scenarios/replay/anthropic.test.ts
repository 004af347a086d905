import { test } from 'vitest'
import { anthropic, collect, oddAnthropic, oddOpenai } from './clients.ts'
import { redSquare } from './red-square.ts'
import { keep } from '../keep.ts'

const claude = { model: 'claude-sonnet-5', max_tokens: 100 }
const tokens = { role: 'user' as const, content: 'tokens' }

test('message', async () => {
  const messages = [{ role: 'user' as const, content: 'Write a haiku' }]
  keep('message', await anthropic.messages.create({ ...claude, system: 'Be a poet.', messages }))
})

test('message stream', async () => {
  const messages = [{ role: 'user' as const, content: 'Think of a long sonnet' }]
  keep('message-stream', await collect(anthropic.messages.stream({ ...claude, messages })))
})

test('tool use', async () => {
  const question = { role: 'user' as const, content: 'Where is my order?' }
  const tools = [{ name: 'look_up', input_schema: { type: 'object' as const } }]
  const first = await anthropic.messages.create({ ...claude, messages: [question], tools })
  const call = first.content.find((part) => part.type === 'tool_use')!
  const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'In Bern.' }
  const messages = [
    question,
    { role: 'assistant' as const, content: first.content },
    { role: 'user' as const, content: [result] },
  ]
  keep('tool-use', [first, await anthropic.messages.create({ ...claude, messages, tools })])
})

test('the image of another test', async () => {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: redSquare() }
  const content = [
    { type: 'image' as const, source },
    { type: 'text' as const, text: 'What is this?' },
  ]
  const messages = [{ role: 'user' as const, content }]
  keep('claude-image', await anthropic.messages.create({ ...claude, messages }))
})

test('cached and reasoning tokens', async () => {
  const request = { model: 'gpt-5', input: 'tokens' }
  keep('tokens', [
    await oddOpenai.chat.completions.create({ model: 'gpt-5', messages: [tokens] }),
    await oddOpenai.responses.create(request),
    await collect(await oddOpenai.responses.create({ ...request, stream: true })),
    await oddAnthropic.messages.create({ ...claude, messages: [tokens] }),
    await collect(oddAnthropic.messages.stream({ ...claude, messages: [tokens] })),
  ])
})
