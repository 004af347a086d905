import { appendFileSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

const { ODD_URL, UPSTREAM_URL } = process.env

export const changed = process.env.CHANGED === '1'

// Every attempt of an SDK is one line of a file, counted in two places.
const countingFetch: typeof fetch = (...parameters) => {
  appendFileSync('attempts', 'fetch\n')
  return fetch(...parameters)
}
subscribe('undici:request:create', () => appendFileSync('attempts', 'request\n'))

const openai = new OpenAI({
  apiKey: 'sk-none',
  baseURL: `${ODD_URL}/v1`,
  maxRetries: 5,
  fetch: countingFetch,
})
const anthropic = new Anthropic({
  apiKey: 'sk-none',
  baseURL: UPSTREAM_URL,
  maxRetries: 5,
  fetch: countingFetch,
})

export async function ask(content: string, system = 'Be kind.'): Promise<string> {
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
  })
  return completion.choices[0]!.message.content!
}

export async function askClaude(content: string): Promise<string> {
  const message = await anthropic.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 10,
    messages: [{ role: 'user', content }],
  })
  return message.content[0]!.type === 'text' ? message.content[0]!.text : ''
}
