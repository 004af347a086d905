import { expect, test } from 'vitest'
import { keyVariables } from '../../src/providers/key-variables.ts'

test.each([
  ['https://api.groq.com/openai/v1/chat/completions', undefined, ['GROQ_API_KEY']],
  // A gateway has the key of its wire format.
  ['https://llm.example.com/v1/chat/completions', undefined, ['OPENAI_API_KEY']],
  ['http://127.0.0.1:4000/v1/messages', undefined, ['ANTHROPIC_API_KEY']],
  // The path of a socket does not tell its format.
  ['wss://llm.example.com/v1/realtime', undefined, []],
  ['wss://llm.example.com/v1/realtime', 'openai-realtime', ['OPENAI_API_KEY']],
  ['https://ollama.com/api/chat', undefined, ['OLLAMA_API_KEY']],
  // What runs on this machine by default takes no key.
  ['http://localhost:11434/api/chat', undefined, []],
  ['https://llm.example.com/own', undefined, []],
  ['mcp://weather', undefined, []],
  ['no address', undefined, []],
])('%s, in the format %s, takes the key of %j', (address, dialect, variables) => {
  expect(keyVariables(address, dialect)).toEqual(variables)
})
