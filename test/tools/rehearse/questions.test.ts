import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { PriceTable } from '../../../src/conversation/cost.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { preloadParts } from '../../../src/real/load-later.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { readQuestions } from '../../../src/tools/rehearse/questions.ts'
import { readText } from '../../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../../src/wire/message.ts'
import { writtenFile } from '../../engine/written-file.ts'

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

const OPENAI = 'https://api.openai.com/v1'
const CHAT: JsonObject = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi.' }] }
const RESPONSES: JsonObject = { model: 'gpt-5', input: 'Hi.' }

/** A cassette of one exchange. */
function recorded(
  url: string,
  body: JsonObject,
  request: Partial<WireRequest> = {},
  answer: Partial<WireResponse> = {},
): Cassette {
  const incoming = readIncoming({
    method: 'POST',
    url,
    body: readText(JSON.stringify(body)),
    ...request,
  })
  const said = { choices: [{ message: { content: 'Ho.' }, finish_reason: 'stop' }] }
  const response = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readText(JSON.stringify(said)),
    ...answer,
  }
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([{ incoming, response }]),
  }
}

function whyOf(cassette: Cassette): string | undefined {
  const { questions, leftOut } = readQuestions('a.json', cassette, new PriceTable())
  expect(questions.length + leftOut.length).toBe(1)
  return leftOut[0]?.why
}

const chat = (more: JsonObject = {}): Cassette =>
  recorded(`${OPENAI}/chat/completions`, { ...CHAT, ...more })
const responses = (more: JsonObject): Cassette =>
  recorded(`${OPENAI}/responses`, { ...RESPONSES, ...more })
const says = (content: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: [content] }],
})

test.for<[string, Cassette, RegExp]>([
  [
    'written by hand',
    writtenFile({ prompt: { text: 'user: Hi.' }, response: { text: 'Ho.' } }),
    /written by hand/,
  ],
  [
    'a socket',
    recorded(`${OPENAI}/responses`, RESPONSES, { method: 'SEND', after: 'exchange-0' }),
    /WebSocket/,
  ],
  ['an error', recorded(`${OPENAI}/chat/completions`, CHAT, {}, { status: 429 }), /an error, 429/],
  ['a cut answer', recorded(`${OPENAI}/chat/completions`, CHAT, {}, { cut: true }), /cut/],
  ['embeddings', recorded(`${OPENAI}/embeddings`, { model: 'e', input: 'Hi.' }), /no model/],
  [
    'a list of models',
    recorded(`${OPENAI}/models`, {}, { method: 'GET', body: { kind: 'empty' } }),
    /no model/,
  ],
  [
    'a digest in the address',
    recorded(`${OPENAI}/chat/completions?tenant=0123456789ab`, CHAT),
    /not stored/,
  ],
  [
    'a secret',
    chat(says({ type: 'text', text: 'My key is <REDACTED:SHOP_KEY>.' })),
    /secret.*SHOP_KEY/,
  ],
  ['a history', responses({ previous_response_id: 'resp_1' }), /history.*resp_1/],
  ['a conversation', responses({ conversation: 'conv_1' }), /history.*conv_1/],
  ['an item', responses({ input: [{ type: 'item_reference', id: 'msg_1' }] }), /msg_1/],
  ['a thought', responses({ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }), /rs_1/],
  ['the background', responses({ background: true }), /background/],
  ['a file', chat(says({ type: 'file', file: { file_id: 'file-1' } })), /file_id file-1/],
  [
    'a store of vectors',
    responses({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }),
    /vs_1/,
  ],
  [
    'a cache of Gemini',
    recorded(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }],
        cachedContent: 'cachedContents/1',
      },
    ),
    /cachedContents\/1/,
  ],
  [
    'a container of Anthropic',
    recorded('https://api.anthropic.com/v1/messages', {
      ...CHAT,
      max_tokens: 9,
      container: 'container_1',
    }),
    /container_1/,
  ],
])('%s is left out, and says why', ([, cassette, why]) => {
  expect(whyOf(cassette)).toMatch(why)
})

test.for<[string, Cassette]>([
  ['a plain prompt', chat()],
  [
    'a thought that is sent whole',
    responses({ input: [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'x', summary: [] }] }),
  ],
  [
    'a tool with a field for files',
    chat({
      tools: [
        {
          type: 'function',
          function: {
            name: 'read',
            parameters: { type: 'object', properties: { file_id: { type: 'string' } } },
          },
        },
      ],
    }),
  ],
  [
    'a call with a file of the application',
    recorded('https://api.anthropic.com/v1/messages', {
      model: 'm',
      max_tokens: 9,
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'read', input: { file_id: 'mine' } }],
        },
      ],
    }),
  ],
  [
    'a version in the address',
    recorded(
      `https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21`,
      CHAT,
    ),
  ],
])('%s is asked again', ([, cassette]) => {
  expect(whyOf(cassette)).toBeUndefined()
})

test('a parameter of a test is asked with its recorded value', () => {
  const cassette = chat(says({ type: 'text', text: 'Hi {{name}}.' }))
  const { questions } = readQuestions(
    'a.json',
    { ...cassette, params: { name: 'Ada' } },
    new PriceTable(),
  )
  expect(JSON.stringify(questions[0]!.request.body)).toContain('Hi Ada.')
})
