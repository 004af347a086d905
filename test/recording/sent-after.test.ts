import { expect, test } from 'vitest'
import { sentAfter, type TimedRequest } from '../../src/recording/sent-after.ts'
import { readText } from '../../src/wire/body.ts'

type Ask = readonly [method: string, path: string, body?: object, answer?: object]

const OPENAI = 'https://api.openai.com/v1'

/** Requests that were sent one after the other, each once the response before it had ended. */
function inSequence(...asks: readonly Ask[]): TimedRequest[] {
  return asks.map(([method, path, body, answer = {}], at) => ({
    name: `#${at}`,
    request: {
      method,
      url: path.startsWith('http') ? path : `${OPENAI}${path}`,
      body: body ? readText(JSON.stringify(body)) : { kind: 'empty' },
    },
    response: { status: 200, headers: {}, body: readText(JSON.stringify(answer)) },
    span: { created: 2 * at, ended: 2 * at + 1 },
  }))
}

const GEMINI = 'https://generativelanguage.googleapis.com/v1beta'
const file = { type: 'input_file', file_id: 'file-abc1' }

test.each<[what: string, asks: Ask[]]>([
  [
    'two turns of a conversation',
    [
      ['POST', '/responses', { conversation: 'conv_1', input: 'a' }],
      ['POST', '/responses', { conversation: { id: 'conv_1' }, input: 'b' }],
    ],
  ],
  [
    'two messages of a thread',
    [
      ['POST', '/threads/thread_abc/messages', { content: 'a' }],
      ['POST', '/threads/thread_abc/messages', { content: 'b' }],
    ],
  ],
  [
    'two chunks of an upload',
    [
      ['POST', '/uploads/upload_1/parts', { data: 'a' }],
      ['POST', '/uploads/upload_1/parts', { data: 'b' }],
    ],
  ],
  [
    'two chunks of a resumable upload',
    [
      ['PUT', `${GEMINI}/files?upload_id=abc`, { data: 'a' }],
      ['PUT', `${GEMINI}/files?upload_id=abc`, { data: 'b' }],
    ],
  ],
  [
    'a file that is read, and deleted',
    [
      ['POST', '/responses', { input: [file] }],
      ['DELETE', '/files/file-abc1'],
    ],
  ],
  [
    'a file that is deleted, and read',
    [
      ['DELETE', '/files/file-abc1'],
      ['POST', '/responses', { input: [file] }],
    ],
  ],
  [
    'a file of Anthropic',
    [
      ['POST', 'https://api.anthropic.com/v1/messages', { source: { file_id: 'file_011' } }],
      ['DELETE', 'https://api.anthropic.com/v1/files/file_011'],
    ],
  ],
  [
    'a cache of Gemini',
    [
      [
        'POST',
        `${GEMINI}/models/gemini-3:generateContent`,
        { cachedContent: 'cachedContents/abc1' },
      ],
      ['DELETE', `${GEMINI}/cachedContents/abc1`],
    ],
  ],
  [
    'a vector store that gets a file, and is searched',
    [
      ['POST', '/vector_stores/vs_1/files', { file_id: 'file-2' }],
      ['POST', '/responses', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ],
  ],
  [
    'the outputs of tools, and the next message',
    [
      ['POST', '/threads/thread_1/runs/run_1/submit_tool_outputs', { tool_outputs: [] }],
      ['POST', '/threads/thread_1/messages', { content: 'b' }],
    ],
  ],
  [
    'a batch that is cancelled, and looked after',
    [
      ['POST', '/batches/batch_1/cancel'],
      ['GET', '/batches/batch_1'],
    ],
  ],
  [
    'a batch of Anthropic',
    [
      ['POST', 'https://api.anthropic.com/v1/messages/batches/msgbatch_1/cancel'],
      ['GET', 'https://api.anthropic.com/v1/messages/batches/msgbatch_1/results'],
    ],
  ],
  [
    'a response that is cancelled, and deleted',
    [
      ['POST', '/responses/resp_1/cancel'],
      ['DELETE', '/responses/resp_1'],
    ],
  ],
  [
    'a response that is deleted, and continued',
    [
      ['DELETE', '/responses/resp_1'],
      ['POST', '/responses', { previous_response_id: 'resp_1', input: 'b' }],
    ],
  ],
])('what was sent later is after what was sent earlier: %s', (_, asks) => {
  expect(sentAfter(inSequence(...asks))).toEqual([undefined, '#0'])
})

test('an id that a response gave counts, whatever the path is called', () => {
  const acts: Ask[] = ['a', 'b'].map((text) => ['POST', '/things/thing-77/acts', { text }])
  expect(sentAfter(inSequence(...acts))).toEqual([undefined, undefined])
  const given = inSequence(['POST', '/things', {}, { id: 'thing-77' }], ...acts)
  expect(sentAfter(given)).toEqual([undefined, undefined, '#1'])
})

test.each<[what: string, asks: Ask[]]>([
  [
    'chat',
    [
      ['POST', '/chat/completions', { messages: [{ role: 'user', content: 'a' }] }],
      ['POST', '/chat/completions', { messages: [{ role: 'user', content: 'b' }] }],
    ],
  ],
  [
    'embeddings',
    [
      ['POST', '/embeddings', { input: 'a' }],
      ['POST', '/embeddings', { input: 'b' }],
    ],
  ],
  [
    'two branches of one response',
    [
      ['POST', '/responses', { previous_response_id: 'resp_1', input: 'a' }],
      ['POST', '/responses', { previous_response_id: 'resp_1', input: 'b' }],
    ],
  ],
  [
    'two questions about a file',
    [
      ['POST', '/responses', { input: [file, 'a'] }],
      ['POST', '/responses', { input: [file, 'b'] }],
    ],
  ],
  [
    'a model in the path, which a response gave',
    [
      [
        'POST',
        `${GEMINI}/models/gemini-3:generateContent`,
        { a: 1 },
        { model_id: 'gemini-3', name: 'models/gemini-3' },
      ],
      ['POST', `${GEMINI}/models/gemini-3:generateContent`, { b: 1 }],
    ],
  ],
  [
    'a deployment',
    [
      ['POST', 'https://a.openai.azure.com/openai/deployments/gpt-5/chat/completions', { a: 1 }],
      ['POST', 'https://a.openai.azure.com/openai/deployments/gpt-5/chat/completions', { b: 1 }],
    ],
  ],
  [
    'an account',
    [
      ['POST', 'https://api.cloudflare.com/client/v4/accounts/0a1b2c/ai/run/@cf/llama-3', { a: 1 }],
      ['POST', 'https://api.cloudflare.com/client/v4/accounts/0a1b2c/ai/run/@cf/llama-3', { b: 1 }],
    ],
  ],
  [
    'a model of Bedrock',
    [
      ['POST', 'https://bedrock-runtime.us-east-1.amazonaws.com/model/claude-5/converse', { a: 1 }],
      ['POST', 'https://bedrock-runtime.us-east-1.amazonaws.com/model/claude-5/converse', { b: 1 }],
    ],
  ],
  [
    'two states',
    [
      ['POST', '/threads/thread_1/messages', { content: 'a' }],
      ['POST', '/threads/thread_2/messages', { content: 'b' }],
    ],
  ],
  [
    'actions that are no ids',
    [
      ['POST', '/threads/runs', { a: 1 }],
      ['POST', '/threads/runs', { b: 1 }],
      ['POST', '/responses/input_tokens', { a: 1 }],
      ['POST', '/responses/input_tokens', { b: 1 }],
    ],
  ],
  [
    'two reads of a state',
    [
      ['GET', '/batches/batch_1'],
      ['GET', '/batches/batch_1'],
      ['POST', '/batches/batch_1/cancel'],
    ],
  ],
])('these come in any order: %s', (_, asks) => {
  expect(sentAfter(inSequence(...asks))).toEqual(asks.map(() => undefined))
})

test('what was in flight together comes in any order, and the next one after that which ended last', () => {
  const asks = ['a', 'b', 'c'].map((text): Ask => ['POST', '/uploads/upload_1/parts', { text }])
  const [one, other, last] = inSequence(...asks)
  one!.span = { created: 1, ended: 4 }
  other!.span = { created: 2, ended: 3 }
  last!.span = { created: 5, ended: 6 }
  expect(sentAfter([other!, one!, last!])).toEqual([undefined, undefined, '#0'])
})

test('what is not known to have ended is nothing to wait for', () => {
  const asks = ['a', 'b'].map((text): Ask => ['POST', '/uploads/upload_1/parts', { text }])
  const [one, other] = inSequence(...asks)
  expect(sentAfter([{ ...one!, span: undefined }, other!])).toEqual([undefined, undefined])
})
