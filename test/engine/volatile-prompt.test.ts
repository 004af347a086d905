import { describe, expect, test } from 'vitest'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'
import { openExample, question, recorded } from './example-session.ts'

const TEXT = 'Where is my lamp? You sent it last week.'

/** A request of each wire format, with the paths of what its model reads, or of what steers it. */
const FORMATS: Record<string, [url: string, body: JsonObject, paths: string[]]> = {
  'OpenAI chat': [
    'https://api.openai.com/v1/chat/completions',
    {
      model: 'gpt-5',
      temperature: 0.2,
      seed: 7,
      stream: false,
      stop: ['END'],
      reasoning_effort: 'high',
      messages: [
        { role: 'system', content: TEXT },
        { role: 'user', content: [{ type: 'text', text: TEXT }] },
        {
          role: 'assistant',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'look', arguments: '{"city":"Paris"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '42' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: TEXT, parameters: {} } }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object' } },
      },
    },
    [
      '$.*',
      '$.model',
      '$.temperature',
      '$.seed',
      '$.stream',
      '$.stop',
      '$.stop[*]',
      '$.reasoning_effort',
      '$.messages',
      '$.messages[*]',
      '$.messages[*].*',
      '$.messages[0].content',
      '$.messages[0].role',
      '$.messages[1].content[0].text',
      '$.messages.1.content.0.*',
      '$.*.*.content',
      '$.messages[3].content',
      '$.messages[2].tool_calls[0].function.arguments',
      '$.messages[2].tool_calls[*].function.name',
      '$.tools',
      '$.tools[0].function.description',
      '$.tools[*].function.parameters',
      '$.tools[0].*.name',
      '$.response_format.json_schema.schema.type',
      '$.response_format.json_schema.name',
    ],
  ],
  'OpenAI Responses': [
    'https://api.openai.com/v1/responses',
    {
      model: 'gpt-5',
      instructions: TEXT,
      input: TEXT,
      prompt: { id: 'pmpt_1a', version: '2', variables: { who: 'Ann' } },
    },
    [
      '$.instructions',
      '$.input',
      '$.prompt.id',
      '$.prompt',
      '$.prompt.variables.who',
      '$.prompt.version',
    ],
  ],
  Anthropic: [
    'https://api.anthropic.com/v1/messages',
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 99,
      system: TEXT,
      messages: [{ role: 'user', content: TEXT }],
    },
    ['$.system', '$.max_tokens', '$.messages[0].content'],
  ],
  Gemini: [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
    {
      systemInstruction: { parts: [{ text: TEXT }] },
      contents: [{ parts: [{ text: TEXT }] }],
      generationConfig: { topK: 5 },
    },
    [
      '$.contents[*].parts[*].text',
      '$.systemInstruction.parts[0].text',
      '$.generationConfig',
      '$.generationConfig.topK',
    ],
  ],
  Bedrock: [
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/a/converse',
    {
      system: [{ text: TEXT }],
      messages: [{ role: 'user', content: [{ text: TEXT }] }],
      inferenceConfig: { maxTokens: 5 },
    },
    ['$.system[*].text', '$.messages[*].content[*].text', '$.inferenceConfig.maxTokens'],
  ],
  embeddings: [
    'https://api.openai.com/v1/embeddings',
    { model: 'text-embedding-3-small', input: ['cats', 'dogs'], dimensions: 3 },
    ['$.input', '$.input[0]', '$.input[*]', '$.dimensions'],
  ],
  rerank: [
    'https://api.cohere.com/v2/rerank',
    {
      model: 'rerank-v3.5',
      query: 'cats',
      documents: ['a cat', { text: 'a dog', metadata: { title: 'Dogs' } }],
      top_n: 1,
    },
    [
      '$.query',
      '$.documents',
      '$.documents[0]',
      '$.documents[1].text',
      '$.documents[1].metadata.title',
      '$.top_n',
    ],
  ],
  'text generation': [
    'https://tgi.example/generate',
    { inputs: 'cats', parameters: { top_k: 3 } },
    ['$.inputs', '$.parameters', '$.parameters.top_k'],
  ],
  speech: [
    'https://api.elevenlabs.io/v1/text-to-speech/a',
    { text: 'Hello', voice_id: 'v1a', labels: ['calm'] },
    ['$.text', '$.voice_id', '$.labels', '$.labels[0]'],
  ],
  'a service of its own': [
    'https://rag.example/ask',
    { question: 'cats', filter: { lang: 'en' }, k: 3, on: true, none: null },
    ['$.question', '$.filter', '$.filter.lang', '$.k', '$.on', '$.none'],
  ],
}

function hashOf(url: string, body: JsonValue, ...volatile: VolatileRule[]): string {
  const wire = { method: 'POST', url, body: readText(JSON.stringify(body)) }
  return readIncoming(wire, { volatile }).hash
}

describe.for(Object.entries(FORMATS))(
  'a path that covers a part of the prompt of %s is refused by name',
  ([, [url, body, paths]]) => {
    test.for(paths)('%s', (path) => {
      expect(() => hashOf(url, body, 'uuid', path as '$')).toThrow(
        expect.objectContaining({
          code: 'invalid-option',
          message: expect.stringContaining(` ${path} `),
        }),
      )
    })
  },
)

function all(text: string): string[] {
  return [text]
}

describe.for(Object.entries(FORMATS))(
  'a rule that finds everything is refused for a request of %s',
  ([, [url, body]]) => {
    test.for([
      /[\s\S]*?[\s\S]+/,
      /\w+/,
      /[a-z]+/i,
      /\S+/,
      /(?<=^.?)[^]+/,
      all,
      (text: string) => text.split(' '),
    ] as VolatileRule[])('%s', (rule) => {
      const hash = () => hashOf(url, body, rule)
      expect(hash).toThrow(coded('invalid-option'))
      expect(hash).toThrow(typeof rule === 'function' ? ' $' : ` ${String(rule)} `)
    })
  },
)

test('two rules that cover a text together are refused together', async () => {
  const [url, body] = FORMATS.Anthropic!
  // Keys have no space behind them.
  const rules = [/\b[A-M]\w*(?=[ .])/i, /\b[N-Z]\w*(?=[ .])/i]
  const hash = () => hashOf(url, body, ...rules)
  for (const rule of rules) expect(hash).toThrow(String(rule))
  await expectGolden(await failureOf(hash), 'two-rules')
})

test.for([
  [
    '$.metadata.request_id',
    { metadata: { request_id: 'one' } },
    { metadata: { request_id: 'two words' } },
  ],
  ['$.metadata', { metadata: { a: 'one' } }, { metadata: { b: 'two' } }],
  ['$.metadata.*', { metadata: { a: 'one' } }, { metadata: { a: 'two' } }],
  ['$.metadata.score', { metadata: { score: 0.5 } }, { metadata: { score: 0.7 } }],
  ['$.requestMetadata.run', { requestMetadata: { run: 'a' } }, { requestMetadata: { run: 'b' } }],
  [
    '$.client_metadata.turn',
    { client_metadata: { turn: 'a' } },
    { client_metadata: { turn: 'b' } },
  ],
  ['$.labels.team', { labels: { team: 'a' } }, { labels: { team: 'b' } }],
  ['$.labels', { labels: { team: 'a' } }, { labels: { team: 'b' } }],
  ['$.user', { user: 'ann' }, { user: 'bob@example.com' }],
  ['$.user_id', { user_id: 7 }, { user_id: 8 }],
  ['$.sessionId', { sessionId: 'a' }, { sessionId: 'b' }],
  ['$.session', { session: 'a' }, { session: 'b' }],
  ['$.input.session_id', { input: { session_id: 'a' } }, { input: { session_id: 'b' } }],
  ['$.user.id', { user: { id: 'a' } }, { user: { id: 'b' } }],
  ['$.safety_identifier', { safety_identifier: 'a' }, { safety_identifier: 'b' }],
  ['$.prompt_cache_key', { prompt_cache_key: 'a' }, { prompt_cache_key: 'b' }],
  [
    '$.messages[*].id',
    { messages: [{ id: 'a', content: TEXT }] },
    { messages: [{ id: 'b', content: TEXT }] },
  ],
  ['$.trace.span_id', { trace: { span_id: 'a' } }, { trace: { span_id: 'b' } }],
  ['$.now', { now: '2026-11-28T10:00:00Z' }, { now: '2027-01-01T11:22:33Z' }],
  ['$.context.at', { context: { at: 1_732_212_345 } }, { context: { at: 1_732_299_999 } }],
  [
    /req-\d+/,
    { messages: [{ content: 'Look for req-17 now' }] },
    { messages: [{ content: 'Look for req-4 now' }] },
  ],
  [/req-\d+/, { messages: [{ content: 'req-17' }] }, { messages: [{ content: 'req-4' }] }],
  [/\d{4}-\d\d-\d\d/, { system: 'Today is 2026-11-28.' }, { system: 'Today is 2026-11-29.' }],
  [
    /\w+day, \w+ \d+, \d+/,
    { system: 'Monday, November 21, 2026' },
    { system: 'Sunday, November 22, 2026' },
  ],
  [
    /(?<=dir: )\S.*$/gm,
    { system: 'You help with code.\ndir: /home/ann/my work' },
    { system: 'You help with code.\ndir: /root' },
  ],
  [
    /\/tmp\/[^"]+/,
    { messages: [{ content: '{"path":"/tmp/x/file.txt"}' }] },
    { messages: [{ content: '{"path":"/tmp/y/file.txt"}' }] },
  ],
  [/alpha|beta/, { metadata: { run: 'alpha' } }, { metadata: { run: 'beta' } }],
] as Array<[VolatileRule, JsonObject, JsonObject]>)('%s may vary: %j, %j', ([rule, one, other]) => {
  const url = 'https://api.openai.com/v1/chat/completions'
  expect(hashOf(url, one, rule)).toBe(hashOf(url, other, rule))
})

test.for([
  ['a', 7],
  ['7', 7],
  [7, null],
  ['a', null],
  [null, 'a'],
  [true, 1],
  ['a', ['a']],
  [['a'], { a: 'a' }],
  ['a', undefined],
] as Array<[JsonValue, JsonValue | undefined]>)(
  'a path forgives no value of another type: %j, %j',
  ([one, other]) => {
    const url = 'https://api.openai.com/v1/chat/completions'
    const of = (run: JsonValue | undefined): JsonObject => ({
      metadata: JSON.parse(JSON.stringify({ run })) as JsonObject,
    })
    expect(hashOf(url, of(one), '$.metadata.run')).not.toBe(
      hashOf(url, of(other), '$.metadata.run'),
    )
  },
)

test('a session answers no changed prompt under a rule that covers a prompt, and says why', async () => {
  const cassette = recorded([question('one'), 'a'])
  const volatile = ['$.messages[0].content' as const]
  const asked = readIncoming(question('two').wire, { volatile })
  const answer = () => openExample(cassette, { volatile }).answer(asked, { order: 1 })
  expect(answer).toThrow('$.messages[0].content')
  await expectGolden(await failureOf(answer), 'one-rule')
})

test.for(['new', 'all'] as const)(
  'in mode %s a rule that covers a prompt fails before the request is sent',
  (mode) => {
    const volatile = ['$.messages[0].content' as const]
    const asked = readIncoming(question('two').wire, { volatile })
    const session = openExample(undefined, { volatile, mode })
    expect(() => session.answer(asked, { order: 1 })).toThrow(coded('invalid-option'))
    expect(session.arrived).toEqual([])
  },
)
