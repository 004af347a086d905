import { expect, test } from 'vitest'
import { ifSentBy, isOtherLimit } from '../../../../src/tools/import/traces/ai-sdk-settings.ts'

const SET = {
  max_tokens: 200,
  temperature: 0.2,
  top_p: 0.9,
  top_k: 5,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  seed: 7,
  stop_sequences: ['X'],
}
const NAMES = Object.keys(SET)

/** What the AI SDK sent of these settings: each provider, run with a fetch that kept the body. */
const WIRE: Array<[sdk: string, provider: string, model: string, sent: string[]]> = [
  ['4 to 7', 'openai.responses', 'gpt-4.1', ['temperature', 'top_p', 'max_tokens']],
  ['4 to 7', 'openai.responses', 'gpt-5', ['max_tokens']],
  [
    '4 to 7',
    'openai.chat',
    'gpt-4.1',
    [
      'max_tokens',
      'temperature',
      'top_p',
      'frequency_penalty',
      'presence_penalty',
      'stop_sequences',
      'seed',
    ],
  ],
  ['4 to 7', 'openai.chat', 'o3', ['stop_sequences', 'seed', 'max_tokens']],
  [
    '4 and 5',
    'anthropic.messages',
    'claude-3-5-haiku-latest',
    ['max_tokens', 'temperature', 'top_k', 'top_p', 'stop_sequences'],
  ],
  [
    '6 and 7',
    'anthropic.messages',
    'claude-3-5-haiku-latest',
    ['max_tokens', 'temperature', 'top_k', 'stop_sequences'],
  ],
  ['5 to 7', 'anthropic.messages', 'claude-opus-4-7', ['max_tokens', 'stop_sequences']],
  ['6', 'google.generative-ai', 'some-model', NAMES],
  [
    '6',
    'mistral.chat',
    'some-model',
    [
      'max_tokens',
      'temperature',
      'top_p',
      'frequency_penalty',
      'presence_penalty',
      'stop_sequences',
      'seed',
    ],
  ],
]

test.for(WIRE)(
  'what the AI SDK %s does not send to %s (%s) has not to be asked',
  ([, provider, model, sent]) => {
    const ifSent = ifSentBy([provider], model, NAMES)
    const dropped = NAMES.filter((name) => !sent.includes(name))
    expect(ifSent).toEqual(expect.arrayContaining(dropped))
  },
)

test('what is always sent has to be asked', () => {
  expect(ifSentBy(['openai.responses'], 'gpt-4.1', NAMES)).not.toContain('temperature')
  expect(ifSentBy(['openai', 'openai-chat'], 'gpt-4.1', NAMES)).toEqual(['top_k'])
  expect(ifSentBy(['google.vertex'], 'gemini-9', NAMES)).toEqual([])
})

test('a limit to which thoughts are added is not compared', () => {
  expect(isOtherLimit(['anthropic.messages'], NAMES)).toBe(true)
  expect(isOtherLimit(['openai.chat'], NAMES)).toBe(false)
})
