import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'

const { UPSTREAM_URL: baseURL, WORD = 'kind', PICTURE = 'plain', SAYS = 'You said' } = process.env

const anthropic = new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 })

async function ask(system: string, content: Anthropic.MessageParam['content']): Promise<string> {
  const { content: blocks } = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 99,
    system,
    messages: [{ role: 'user', content }],
  })
  return JSON.stringify(blocks)
}

test.each(['first', 'second', 'third'])('asks the %s question', async (which) => {
  expect(await ask(`Be ${WORD}.`, `The ${which} question`)).toContain('You said')
})

test('shows a picture', async () => {
  const data = readFileSync(join(import.meta.dirname, `${PICTURE}.png`)).toString('base64')
  const source = { type: 'base64', media_type: 'image/png', data } as const
  const content = [
    { type: 'text', text: 'What is this?' } as const,
    { type: 'image', source } as const,
  ]
  expect(await ask('Look.', content)).toContain('You said')
})

test('expects another answer', async () => {
  expect(await ask('Answer.', 'Hello')).toContain(SAYS)
})

test('asks nobody', () => {})
