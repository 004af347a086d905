import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/format/decode-cassette.ts'
import { encodeCassette } from '../../src/cassette/format/encode-cassette.ts'
import { parseCassette } from '../../src/cassette/format/parse.ts'
import { printCassette } from '../../src/cassette/format/print.ts'
import { diffPrompts } from '../../src/diff/compare/diff-prompts.ts'
import { summarizeChange } from '../../src/diff/render/summarize-change.ts'
import { promptFor } from '../../src/engine/reading/read-prompt.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { keepAskingHeaders } from '../../src/wire/asking-headers.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { exampleCassette } from '../cassette/example-cassette.ts'

const sent = {
  authorization: 'Bearer secret',
  'AI-Language-Model-Id': 'openai/gpt-5',
  'ai-language-model-streaming': 'false',
  'ai-language-model-specification-version': '4',
  'user-agent': 'ai/7.0.173',
}

const asked = (headers: Record<string, string>): WireRequest => ({
  method: 'POST',
  url: 'https://ai-gateway.vercel.sh/v4/ai/language-model',
  ...keepAskingHeaders(new Headers(headers)),
  body: {
    kind: 'json',
    value: { prompt: [{ role: 'system', content: 'Be brief.' }] },
    layout: {},
  },
})

const hashOf = (headers: Record<string, string>): string => readIncoming(asked(headers)).hash

test('only the headers that say what is asked are kept', () => {
  expect(asked(sent).headers).toEqual({
    'ai-language-model-id': 'openai/gpt-5',
    'ai-language-model-streaming': 'false',
  })
  expect(asked({ authorization: 'Bearer secret' })).not.toHaveProperty('headers')
})

test('another model or another form of the answer is another prompt', () => {
  const hash = hashOf(sent)
  expect(hashOf({ ...sent, authorization: 'Bearer other', 'user-agent': 'ai/8' })).toBe(hash)
  expect(hashOf({ ...sent, 'AI-Language-Model-Id': 'openai/gpt-5-mini' })).not.toBe(hash)
  expect(hashOf({ ...sent, 'ai-language-model-streaming': 'true' })).not.toBe(hash)
  expect(hashOf({})).not.toBe(hash)
})

test('the model in the header is the model of the prompt', () => {
  const prompt = promptFor(readIncoming(asked({ ...sent, 'ai-language-model-streaming': 'true' })))
  expect(prompt).toMatchObject({ model: 'openai/gpt-5', parameters: { stream: true } })
})

test('they come back from the file, and no other header is let in', () => {
  const cassette = exampleCassette({})
  cassette.exchanges[0]!.wire!.request = asked(sent)
  const { stored } = encodeCassette(cassette, 'schema.json')
  const read = parseCassette(printCassette(stored))
  const { exchanges } = decodeCassette(read, () => Buffer.of())
  expect(exchanges[0]!.wire!.request).toEqual(asked(sent))

  const text = printCassette(stored).replace('ai-language-model-id', 'authorization')
  expect(() => parseCassette(text)).toThrow(/\/headers/)
})

test('a changed header is a change of the prompt', () => {
  const [one, other] = ['a, b', 'a, c'].map((value) =>
    promptFor(readIncoming(asked({ 'anthropic-beta': value, 'ai-model-id': 'x' }))),
  )
  expect(diffPrompts(one!, other!).map(summarizeChange)).toEqual([
    'header anthropic-beta: a, b → a, c',
  ])
  const { headers: _, ...without } = one!
  expect(diffPrompts(without, other!).map(summarizeChange)).toEqual([
    'header anthropic-beta: added',
  ])
})

test.each([
  ['prefer', 'wait=5, respond-async', 'Respond-Async,wait=5', true],
  ['prefer', 'wait=5', 'wait=6', false],
  ['openai-beta', 'assistants=v2', 'assistants=v1', false],
  ['anthropic-version', '2023-06-01', '2026-10-21', false],
  ['x-amzn-bedrock-guardrailidentifier', 'strict', 'loose', false],
  ['x-amzn-bedrock-service-tier', 'flex', 'priority', false],
  ['anthropic-workspace-id', 'a', 'b', true],
  ['openai-organization', 'a', 'b', true],
])('%s: %s and %s are the same: %s', (name, one, other, same) => {
  expect(hashOf({ [name]: one }) === hashOf({ [name]: other })).toBe(same)
})
