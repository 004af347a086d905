import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode-cassette.ts'
import { encodeCassette } from '../../src/cassette/encode-cassette.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/print.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { keepAskingHeaders, type WireRequest } from '../../src/wire/message.ts'
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
  const { prompt } = readIncoming(asked({ ...sent, 'ai-language-model-streaming': 'true' }))
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
