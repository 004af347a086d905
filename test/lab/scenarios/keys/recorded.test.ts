import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { BedrockOpenAI } from 'openai/bedrock'
import { expect, test, vi } from 'vitest'

const { UPSTREAM_URL } = process.env

// A module that checks its configuration when it is imported.
if (!process.env.OPENAI_API_KEY) throw new Error('OPENAI_API_KEY is not set')

test('openai', async () => {
  const openai = new OpenAI({ baseURL: `${UPSTREAM_URL}/v1` })
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(choices[0]!.message.content).toBe('You said: Hello')
})

test('anthropic, with the key read by the application', async () => {
  const apiKey = process.env.ANTHROPIC_API_KEY
  expect(apiKey).toBeTruthy()
  const anthropic = new Anthropic({ apiKey, baseURL: UPSTREAM_URL })
  const { content } = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(content[0]).toMatchObject({ text: 'You said: Hello' })
})

test('bedrock', async () => {
  const client = new BedrockRuntimeClient({ endpoint: UPSTREAM_URL })
  const messages = [{ role: 'user' as const, content: [{ text: 'Hello' }] }]
  const { output } = await client.send(new ConverseCommand({ modelId: 'm', messages }))
  expect(output!.message!.content![0]!.text).toBe('You said: Hello')
})

test('bedrock, through the client of OpenAI', async () => {
  const openai = new BedrockOpenAI({ baseURL: `${UPSTREAM_URL}/v1`, awsRegion: 'us-east-1' })
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-oss',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(choices[0]!.message.content).toBe('You said: Hello')
})

test('a test that asks for no model sees no key', () => {
  vi.stubEnv('OTHER', 'x')
  expect(process.env.OTHER).toBe('x')
  if (process.env.RECORD) return
  expect(process.env.OPENAI_API_KEY).toBeUndefined()
  expect('OPENAI_API_KEY' in process.env).toBe(false)
  expect(Object.keys(process.env)).not.toContain('OPENAI_API_KEY')
  expect(process.env.AWS_ACCESS_KEY_ID).toBeUndefined()
  expect(process.env.AWS_BEARER_TOKEN_BEDROCK).toBeUndefined()
})
