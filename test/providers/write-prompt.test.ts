import { expect, test } from 'vitest'
import { dialectOf, dialects } from '../../src/providers/dialects.ts'
import type { PlainPrompt } from '../../src/providers/dialect.ts'

const URLS: Record<string, string> = {
  'openai-chat': 'https://api.openai.com/v1/chat/completions',
  'openai-responses': 'https://api.openai.com/v1/responses',
  'anthropic-messages': 'https://api.anthropic.com/v1/messages',
}

const PROMPT: PlainPrompt = {
  model: 'a-model',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Where is it?' }] },
    { role: 'model', parts: [{ type: 'tool_call', name: 'find', arguments: { order: 7 } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', result: 'lost' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'It is lost.' }] },
  ],
  tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }],
  parameters: { temperature: 0.5, maxTokens: 9, choice: { name: 'find' } },
  schema: { type: 'object' },
  pictures: new Map(),
}

test.for(dialects.filter(({ writePrompt }) => writePrompt))(
  'a prompt that $name writes reads back',
  ({ name, writePrompt }) => {
    const value = writePrompt!(PROMPT)
    const body = { kind: 'json' as const, value, layout: {} }
    const request = { method: 'POST', url: URLS[name]!, body }
    expect(dialectOf(request).name).toBe(name)
    const { model, messages, tools, parameters } = dialectOf(request).readPrompt(request)
    expect(model).toBe('a-model')
    expect(tools).toMatchObject(PROMPT.tools)
    const parts = messages.flatMap((message) => message.parts)
    expect(parts).toMatchObject(PROMPT.messages.flatMap((message) => message.parts))
    const [called, given] = parts.flatMap((part) => ('id' in part ? [part.id] : []))
    expect(given).toBe(called)
    expect(parameters.temperature).toBe(0.5)
    const asked = JSON.stringify(value)
    for (const said of ['"find"', ':9', '{"type":"object"}']) expect(asked).toContain(said)
  },
)
