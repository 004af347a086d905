import { expect, test } from 'vitest'

import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { embeddingsSample } from '../samples/openai-embeddings.ts'
import { answer, requestTo } from '../wire.ts'
import { openaiEmbeddings } from '../../../src/providers/openai/openai-embeddings.ts'

const promptOf = (body: JsonObject) =>
  openaiEmbeddings.readPrompt(requestTo(embeddingsSample.url, body))
const textOf = (...embeddings: JsonValue[]) =>
  openaiEmbeddings.readCompletion(answer({ data: embeddings.map((embedding) => ({ embedding })) }))
    .text

test('reads a message for each text', () => {
  expect(promptOf(embeddingsSample.body)).toEqual({
    provider: 'openai',
    operation: 'embeddings',
    model: 'text-embedding-3-small',
    parameters: { encoding_format: 'float', dimensions: 3 },
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'a lawn' }] },
      { role: 'user', parts: [{ type: 'text', text: 'a hat' }] },
    ],
    tools: [],
  })
})

test('reads texts that are already tokens', () => {
  const tokens = (...values: JsonValue[]) => values.map((value) => [{ type: 'other', value }])
  const partsOf = (input: JsonValue) => promptOf({ input }).messages.map(({ parts }) => parts)
  expect(partsOf([1, 2, 3])).toEqual(tokens([1, 2, 3]))
  expect(partsOf([[1, 2], [3]])).toEqual(tokens([1, 2], [3]))
  expect(partsOf('one')).toEqual([[{ type: 'text', text: 'one' }]])
})

test('counts embeddings and their dimensions, as numbers and as base64', () => {
  const base64 = Buffer.from(new Float32Array(1536).buffer).toString('base64')
  expect(textOf([1, 2])).toBe('1 embedding of 2 dimensions')
  expect(textOf(base64, base64)).toBe('2 embeddings of 1536 dimensions')
  expect(textOf()).toBe('')
})

test('takes the total for the input where nothing else is counted', () => {
  expect(
    openaiEmbeddings.readCompletion(answer({ data: [], usage: { total_tokens: 5 } })).usage,
  ).toEqual({
    inputTokens: 5,
  })
})
