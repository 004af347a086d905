import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeEach, expect, test } from 'vitest'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.UPSTREAM_URL}/v1` })
const anthropic = new Anthropic({ apiKey: 'sk-none', baseURL: process.env.UPSTREAM_URL })

const { ORDER = '4711', CUSTOMER = 'Ada Lovelace', WORD = 'brief', UNDECLARED } = process.env
const orderId = Number(ORDER)
const said = `Where is order ${ORDER}, that is order_${ORDER}.pdf of ${CUSTOMER}?`
const details = { orderId, file: `order_${ORDER}.pdf`, customer: CUSTOMER }
const call = `Call it with ${JSON.stringify(details)}`
const parameters = { type: 'object' as const, properties: { orderId: { type: 'number' } } }

beforeEach(({ cassette, task }) => {
  if (task.name.startsWith('undeclared') && UNDECLARED) return
  cassette.params({ orderId, customer: CUSTOMER })
})

async function ask(content: string): Promise<string | null> {
  const messages = [{ role: 'user' as const, content }]
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return choices[0]!.message.content
}

test('openai: plain, streamed and in tool calls', async ({ cassette }) => {
  expect(await ask(said)).toBe(`You said: ${said}`)
  expect(cassette.exchanges[0]!.completion.text).toBe(`You said: ${said}`)
  expect(cassette.exchanges[0]!.prompt.messages[0]!.parts[0]).toMatchObject({ text: said })

  const body = { model: 'gpt-5', messages: [{ role: 'user' as const, content: said }] }
  const stream = openai.chat.completions.stream(body)
  expect(await stream.finalContent()).toBe(`You said: ${said}`)

  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: call }]
  const tools = [{ type: 'function' as const, function: { name: 'find', parameters } }]
  const asking = { model: 'gpt-5', messages, tools }
  const { choices } = await openai.chat.completions.create(asking)
  const [plain] = choices[0]!.message.tool_calls!
  expect(plain).toMatchObject({ function: { arguments: JSON.stringify(details) } })
  const last = await openai.chat.completions.stream(asking).finalMessage()
  expect(last.tool_calls![0]).toMatchObject({ function: { arguments: JSON.stringify(details) } })

  messages.push(choices[0]!.message)
  messages.push({ role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ ...details }) })
  const { choices: answers } = await openai.chat.completions.create(asking)
  expect(answers[0]!.message.content).toBe(`You said: ${JSON.stringify(details)}`)
})

test('anthropic: plain, streamed and in tool calls', async () => {
  const common = { model: 'claude-sonnet-4-5', max_tokens: 100 }
  const body = { ...common, messages: [{ role: 'user' as const, content: said }] }
  expect((await anthropic.messages.create(body)).content[0]).toMatchObject({
    text: `You said: ${said}`,
  })
  const tools = [{ name: 'find', input_schema: parameters }]
  const asking = { ...common, tools, messages: [{ role: 'user' as const, content: call }] }
  const plain = await anthropic.messages.create(asking)
  expect(plain.content.at(-1)).toMatchObject({ input: details })
  const streamed = await anthropic.messages.stream(asking).finalMessage()
  expect(streamed.content.at(-1)).toMatchObject({ input: details })
})

test('literal: a text that reads like a placeholder stays one', async () => {
  const text = `Fill {{orderId}}, {{=orderId}}, {{other}} for ${ORDER}: {{${ORDER}}}`
  expect(await ask(text)).toBe(`You said: ${text}`)
})

test('word: what is not declared stays exact', async () => {
  await ask(`Be ${WORD} about order ${ORDER}`)
})

test('undeclared: the cassette asks for its parameters', async () => {
  await ask(said)
})
