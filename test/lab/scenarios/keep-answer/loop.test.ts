import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { UPSTREAM_URL, SYSTEM = 'You are brief and kind.', EXTRA, TURNED } = process.env
const connection = { apiKey: 'sk-none', maxRetries: 0 }
const openai = new OpenAI({ ...connection, baseURL: `${UPSTREAM_URL}/v1` })
const anthropic = new Anthropic({ ...connection, baseURL: UPSTREAM_URL })
const parameters = { type: 'object' as const, properties: { order: { type: 'number' } } }
const names = TURNED ? ['cancel', 'find'] : ['find', 'cancel']
const questions = ['Where is my order?', ...(EXTRA ? [EXTRA] : [])]

test('an agent calls a tool of openai', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    ...questions.map((content) => ({ role: 'user' as const, content })),
  ]
  const tools = names.map((name) => ({
    type: 'function' as const,
    function: { name, parameters },
  }))
  const ask = () => openai.chat.completions.create({ model: 'gpt-5', messages, tools })
  const called = (await ask()).choices[0]!.message
  messages.push(called)
  for (const { id } of called.tool_calls!)
    messages.push({ role: 'tool', tool_call_id: id, content: 'shipped' })
  expect((await ask()).choices[0]!.message.content).toBe('You said: shipped')
})

test('an agent calls a tool of anthropic', async () => {
  const messages: Anthropic.MessageParam[] = questions.map((content) => ({ role: 'user', content }))
  const tools = names.map((name) => ({ name, input_schema: parameters }))
  const body = { model: 'claude-sonnet-5', max_tokens: 50, system: SYSTEM, messages, tools }
  const called = await anthropic.messages.create(body)
  const calls = called.content.filter((part) => part.type === 'tool_use')
  messages.push({ role: 'assistant', content: called.content })
  messages.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'shipped' })),
  })
  const { content } = await anthropic.messages.create(body)
  expect(content).toMatchObject([{ type: 'text', text: 'You said: shipped' }])
})
