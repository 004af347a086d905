import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

const upstream = process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'

export const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${upstream}/v1`,
})
export const anthropic = new Anthropic({
  apiKey: 'sk-ant-test-key-that-is-not-one',
  baseURL: upstream,
})

export async function ask(question: string): Promise<string> {
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    temperature: 0,
    messages: [
      { role: 'system', content: 'You are a polite assistant.' },
      { role: 'user', content: question },
    ],
  })
  return completion.choices[0]!.message.content!
}

export async function askStreamed(question: string): Promise<string[]> {
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: question }],
    stream: true,
  })
  const pieces: string[] = []
  for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta?.content ?? '')
  return pieces
}

export async function askClaude(question: string): Promise<string> {
  const message = await anthropic.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 100,
    system: 'You are a poet.',
    messages: [{ role: 'user', content: question }],
  })
  return message.content[0]!.type === 'text' ? message.content[0]!.text : ''
}

export async function askClaudeStreamed(question: string): Promise<string> {
  const stream = anthropic.messages.stream({
    model: 'claude-sonnet-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: question }],
  })
  return stream.finalText()
}
