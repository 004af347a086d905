import OpenAI from 'openai'
import { expect, test } from 'vitest'

const upstream = process.env.UPSTREAM_URL
const openai = new OpenAI(upstream ? { baseURL: `${upstream}/v1` } : {})

const system =
  process.env.SYSTEM ?? "You're a helpful AI assistant named Aya. You help users with content..."
const names = ['getThreadHistory', 'postMessage']
const tools = names.map((name) => ({ type: 'function' as const, function: { name } }))

test('suggests', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', name: 'U1234546', content: 'Suggest lunch options please.' },
  ]
  const posted: unknown[] = []
  while (posted.length === 0) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5', tools, messages })
    const { message } = choices[0]!
    messages.push(message)
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') throw new Error('no function')
      const given = JSON.parse(call.function.arguments) as { text?: string }
      if (call.function.name === 'postMessage') posted.push(given.text)
      else expect(given).toEqual({ ascending: false })
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'No messages.' })
    }
  }
  expect(posted).toEqual([expect.stringMatching(/^Here are .*Vegetable curry$/)])
})

test('goes on live', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'Be kind.' }]
  for (const content of ['Hello?', 'Who are you?']) {
    messages.push({ role: 'user', content })
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
    messages.push(choices[0]!.message)
  }
  expect(messages.map(({ content }) => content)).toEqual([
    'Be kind.',
    'Hello?',
    'Hi there.',
    'Who are you?',
    'You said: Who are you?',
  ])
})
