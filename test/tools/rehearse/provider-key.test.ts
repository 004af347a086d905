import { expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { keyFor, readOwnKeys } from '../../../src/tools/rehearse/provider-key.ts'

const ENV = {
  OPENAI_API_KEY: 'o',
  ANTHROPIC_API_KEY: 'a',
  GEMINI_API_KEY: 'g',
  AZURE_OPENAI_API_KEY: 'z',
  HOUSE_KEY: 'h',
}

test.for<[url: string, dialect: string, headers: Record<string, string>]>([
  ['https://api.openai.com/v1/chat/completions', 'openai-chat', { authorization: 'Bearer o' }],
  ['https://api.anthropic.com/v1/messages', 'anthropic-messages', { 'x-api-key': 'a' }],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
    'gemini-generate',
    { 'x-goog-api-key': 'g' },
  ],
  [
    'https://me.openai.azure.com/openai/deployments/d/chat/completions',
    'openai-chat',
    { 'api-key': 'z' },
  ],
  ['http://localhost:11434/api/chat', 'ollama-chat', {}],
  ['https://llm.house.example/v1/messages', 'anthropic-messages', { 'x-api-key': 'h' }],
  ['https://llm.house.example/v1/chat/completions', 'openai-chat', { authorization: 'Bearer h' }],
])('%s gets its own key', ([url, dialect, headers]) => {
  const own = readOwnKeys(['llm.house.example=HOUSE_KEY'])
  expect(keyFor(url, dialect, ENV, own)).toEqual({ headers })
})

const WITHOUT_KEY: Array<[url: string, names: string]> = [
  ['https://api.mistral.ai/v1/chat/completions', 'MISTRAL_API_KEY '],
  ['https://evil.example/v1/chat/completions', ' --key evil.example='],
  ['http://api.openai.com/v1/chat/completions', ' --key api.openai.com='],
]

test.for(WITHOUT_KEY)('%s gets no key of another, and is not asked', ([url, names]) => {
  expect(keyFor(url, 'openai-chat', ENV)).toEqual({ why: expect.stringContaining(names) })
})

test('where there is no key it says which to give, and how', async () => {
  const texts = WITHOUT_KEY.map(([url]) => {
    const found = keyFor(url, 'openai-chat', ENV)
    return `${url}\n${'why' in found ? found.why : 'a key'}`
  })
  await expectGolden(texts.join('\n\n'), 'no-key')
})
