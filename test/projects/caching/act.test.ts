// An agent that looks at a screen, clicks what a model names, and looks again: two steps to a goal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { useCassette, type Speaker } from 'vitest-cassette'

const anthropic = new Anthropic({
  apiKey: 'none',
  baseURL: process.env.UPSTREAM_URL,
  maxRetries: 0,
})

const { SCREEN = 'plain', CUSTOMER = 'Ada Lovelace', FAILS } = process.env

/** What the provider of these tests answers with the call of a tool. */
const CLICK = 'Call it with {"action":"left_click","coordinate":[480,400]}'

function look(name: string): Anthropic.ImageBlockParam {
  const data = readFileSync(join(import.meta.dirname, `${name}.png`)).toString('base64')
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

async function act(goal: string): Promise<Anthropic.ContentBlock[][]> {
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: [{ type: 'text', text: goal }, look('plain')] },
  ]
  const answers: Anthropic.ContentBlock[][] = []
  for (let step = 0; step < 2; step++) {
    messages.push({ role: 'user', content: CLICK })
    const { content } = await anthropic.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 99,
      tools: [{ name: 'computer', input_schema: { type: 'object' } }],
      messages,
    })
    answers.push(content)
    messages.push({ role: 'assistant', content })
    const [call] = content.filter((block) => block.type === 'tool_use')
    if (call)
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: [look(SCREEN)] }],
      })
  }
  return answers
}

test('acts', async ({ cassette }) => {
  cassette.params({ customer: CUSTOMER })
  const answers = await act(`Order a lamp for ${CUSTOMER}.`)
  for (const answer of answers)
    expect(answer.at(-1)).toMatchObject({ input: { coordinate: [480, 400] } })
  expect(FAILS).toBeUndefined()
})

test('switches', async ({ cassette }) => {
  const guide: Speaker = {
    name: 'guide',
    canHandle: ({ conversation }) => conversation.length === 1,
    handleStep: () => ({ status: 'continue', answer: { text: 'Nothing more.' } }),
  }
  useCassette({ speakers: [guide] })
  const [, said] = await act('Order a chair.')
  expect(said).toMatchObject([{ text: 'Nothing more.' }])
  const first = process.env.RECORD ? 'live' : 'cassette'
  expect(cassette.exchanges.map(({ speaker }) => speaker)).toEqual([first, 'guide'])
})
