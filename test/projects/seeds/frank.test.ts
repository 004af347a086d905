import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const openai = new OpenAI()
const anthropic = new Anthropic()

const FIRST = 'The exact prompt text sent to the LLM'
const SECOND = process.env.FOLLOW_UP ?? 'Follow-up prompt including previous context'
const temperature = Number(process.env.TEMPERATURE ?? 0.7)

async function askOpenAi(content: string): Promise<OpenAI.ChatCompletionMessage> {
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5',
    temperature,
    max_completion_tokens: 1000,
    messages: [{ role: 'user', content }],
  })
  return choices[0]!.message
}

test('answers', async () => {
  const { content, tool_calls: calls } = await askOpenAi(FIRST)
  expect(content).toBe('The full response from the LLM to replay')
  expect(calls).toMatchObject([
    { function: { name: 'example_tool', arguments: '{"param1":"value1"}' } },
  ])
  expect((await askOpenAi(SECOND)).content).toBe('Follow-up response from the LLM')
})

test('answers another client', async () => {
  const texts: unknown[] = []
  for (const content of [FIRST, SECOND]) {
    const message = await anthropic.messages.create({
      model: 'claude-sonnet-5',
      temperature,
      max_tokens: 1000,
      messages: [{ role: 'user', content }],
    })
    texts.push(message.content.map((block) => (block.type === 'text' ? block.text : block.type)))
  }
  expect(texts).toEqual([
    ['The full response from the LLM to replay', 'tool_use'],
    ['Follow-up response from the LLM'],
  ])
})
