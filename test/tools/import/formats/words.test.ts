import { expect, test } from 'vitest'
import { splitFrames } from '../../../../src/wire/amazon-frames.ts'
import type { ForeignExchange } from '../../../../src/tools/import/foreign.ts'
import { expectGolden } from '../../../golden.ts'
import { foreignFolder, pieces, readOne, received } from '../foreign-folder.ts'
import { leftOutAs, listOf } from '../left-out.ts'

function writtenIn(exchanges: ForeignExchange[]): unknown[] {
  return exchanges.map(({ response }) => response.written)
}

test("aimock's rules are told, and its answers are words", async () => {
  const { exchanges, leftOut } = readOne({
    fixtures: [
      { match: { userMessage: 'hello', sequenceIndex: 1 }, response: { content: 'Hi.' } },
      {
        match: {},
        response: { content: { a: 1 }, reasoning: 'Hm.', finishReason: 'length' },
        recordedTimings: { ttftMs: 1, interChunkDelaysMs: [], totalDurationMs: 5 },
      },
      {
        match: { toolName: 'look' },
        response: {
          toolCalls: [
            { name: 'look', arguments: '{"at":1.0}', id: 'call_1' },
            { name: 'say', arguments: { it: true } },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        },
      },
      {
        match: { model: 'm' },
        response: {
          blocks: [
            { type: 'toolCall', name: 'look', arguments: '{}' },
            { type: 'text', text: 'Seen.' },
          ],
        },
      },
    ],
  })
  expect(exchanges.map(({ request }) => request)).toEqual([
    { rules: 'userMessage: "hello", sequenceIndex: 1' },
    { rules: 'any request' },
    { rules: 'toolName: "look"' },
    { rules: 'model: "m"' },
  ])
  expect(exchanges.map(({ durationMs }) => durationMs)).toEqual([
    undefined,
    5,
    undefined,
    undefined,
  ])
  expect(JSON.parse(JSON.stringify(writtenIn(exchanges)))).toEqual([
    { text: 'Hi.' },
    { text: '{"a":1}', reasoning: 'Hm.', finish_reasons: ['length'] },
    {
      text: '',
      tool_calls: [
        { tool_name: 'look', parameters: { at: 1 } },
        { tool_name: 'say', parameters: { it: true } },
      ],
      usage: { input_tokens: 3, output_tokens: 4 },
    },
    { text: 'Seen.', tool_calls: [{ tool_name: 'look', parameters: {} }] },
  ])
  expect([...leftOut.values()]).toEqual([1, 1])
  await expectGolden(listOf(leftOut), 'left-out-of-answers')
})

test("aimock's errors have a status, and its JSON is an answer with bytes", () => {
  const { exchanges } = readOne({
    fixtures: [
      { match: {}, response: { error: { message: 'Later.' }, status: 429 } },
      { match: {}, response: { error: { message: 'Broken.' } } },
      { match: {}, response: { json: { a: 1 }, status: 202 } },
    ],
  })
  expect(exchanges.map(({ response }) => response.status)).toEqual([429, 500, 202])
  expect(writtenIn(exchanges)).toEqual([
    { text: '', error: 'Later.', status: 429 },
    { text: '', error: 'Broken.', status: 500 },
    undefined,
  ])
  expect(exchanges.map(received)).toEqual(['', '', '{"a":1}'])
})

test("what of aimock's becomes no exchange is counted", async () => {
  const { exchanges, leftOut } = readOne({
    fixtures: [
      { match: {}, response: { embedding: [1, 2] } },
      { match: { message: 'a' }, events: [] },
      { match: {}, response: { content: 'a', id: 'x' }, latency: 5, streamingProfile: {} },
    ],
    agui: { fixtures: [{ match: {}, text: 'b' }, {}] },
    mcp: { tools: [{}] },
  })
  expect(exchanges).toHaveLength(1)
  const countOf = (name: string): number | undefined =>
    [...leftOut].find(([what]) => what.includes(name))?.[1]
  expect(['agui', 'mcp', 'latency', 'streamingProfile'].map(countOf)).toEqual([3, 1, 1, 1])
  expect([...leftOut.values()].toSorted()).toEqual([1, 1, 1, 1, 1, 3])
  await expectGolden(listOf(leftOut), 'left-out-of-fixtures')
})

test('a fixture without a match is named', async () => {
  const { unread } = foreignFolder({ 'a.json': { fixtures: [{ answer: 'a' }] } }).read()
  expect(unread).toEqual([
    { file: 'a.json', nearest: 'aimock', reason: expect.any(String) as string },
  ])
  await expectGolden(unread[0]!.reason, 'fixture-without-match')
})

const SNAPSHOT = `models:
  - some-model
errors:
  - model: some-model
    status: 429
    code: rate_limited
    message: Later.
    retryAfterSeconds: 3
    messages:
      - role: user
        content: Too much?
conversations:
  - messages:
      - role: system
        content: \${system}
      - role: user
        content: Look at it.
      - role: assistant
        content: "I look. "
      - role: assistant
        tool_calls:
          - id: toolcall_0
            type: function
            function:
              name: \${shell}
              arguments: '{"path":"\${workdir}/a"}'
  - messages:
      - role: system
        content: \${system}
      - role: user
        content: Look at it.
      - role: assistant
        content: "I look. "
        tool_calls:
          - id: toolcall_0
            type: function
            function:
              name: \${shell}
              arguments: '{"path":"\${workdir}/a"}'
      - role: tool
        tool_call_id: toolcall_0
        content: a picture
      - role: assistant
        content: It is a picture.
  - messages:
      - role: user
        content: Nobody answers.
`

test("of Copilot's conversations, all before an answer is its request, each once", async () => {
  const { exchanges, leftOut } = readOne(SNAPSHOT, 'a.yaml')
  expect(writtenIn(exchanges)).toEqual([
    {
      text: 'I look. ',
      tool_calls: [{ tool_name: '${shell}', parameters: { path: '${workdir}/a' } }],
    },
    { text: 'It is a picture.' },
    { text: '', error: 'Later.', status: 429 },
  ])
  expect(exchanges[1]!.request.rules).toBe(
    'system: "${system}"\nuser: "Look at it."\nassistant: "I look. "\ntool: "a picture"',
  )
  expect(exchanges[2]!.response.headers).toEqual([['retry-after', '3']])
  const unanswered = leftOutAs('no answer')
  expect([leftOut.size, leftOut.get(unanswered)]).toEqual([2, 1])
  leftOut.delete(unanswered)
  expect([...leftOut.values()]).toEqual([1])
  await expectGolden(listOf(leftOut), 'left-out-of-conversations')
})

test('chunks of the AI SDK become the stream that a client of their provider reads', () => {
  const bedrock = [{ messageStart: { role: 'assistant' } }, { messageStop: { stopReason: 'x' } }]
  const openai = [{ choices: [] }, { choices: [{ delta: { content: 'a' } }] }]
  const anthropic = [{ type: 'message_start' }, { type: 'message_stop' }]
  const ollama = [
    { model: 'm', done: false },
    { model: 'm', done: true },
  ]
  const linesOf = (chunks: unknown[]): string =>
    `${chunks.map((chunk) => JSON.stringify(chunk)).join('\n')}\n`
  const read = (chunks: unknown[]): ForeignExchange =>
    readOne(linesOf(chunks), 'a.1.chunks.txt').exchanges[0]!
  const typeOf = ({ response }: ForeignExchange): string => response.headers[0]![1]

  const frames = splitFrames(Buffer.concat(read(bedrock).response.body as Uint8Array[]))
  expect(frames).toEqual([
    { event: 'messageStart', data: { role: 'assistant' } },
    { event: 'messageStop', data: { stopReason: 'x' } },
  ])
  expect(pieces(read(openai))).toEqual([
    'data: {"choices":[]}\n\n',
    'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
    'data: [DONE]\n\n',
  ])
  expect(pieces(read(anthropic)).at(-1)).toBe('data: {"type":"message_stop"}\n\n')
  expect(pieces(read(ollama))).toHaveLength(2)
  expect([bedrock, openai, ollama].map((chunks) => typeOf(read(chunks)))).toEqual([
    'application/vnd.amazon.eventstream',
    'text/event-stream',
    'application/x-ndjson',
  ])
  expect(pieces(read(openai.slice(0, 1)))).toHaveLength(2)
  expect(read(openai).request).toEqual({})
})

test('realtime events are no answer', async () => {
  const lines = '{"type":"session.created"}\n{"type":"response.created"}\n'
  const { unread } = foreignFolder({ 'a.chunks.txt': lines }).read()
  expect(unread).toEqual([
    { file: 'a.chunks.txt', nearest: 'answers', reason: expect.any(String) as string },
  ])
  await expectGolden(unread[0]!.reason, 'events-of-realtime')
})

test('an answer alone stays as it is spelled, and an error has its status', () => {
  const text = '{\n  "object": "chat.completion",\n  "created": 1.0\n}\n'
  expect(received(readOne(text).exchanges[0]!)).toBe(text.trimEnd())
  const statusOf = (error: object): number =>
    readOne({ error: { message: 'No.', ...error } }).exchanges[0]!.response.status
  expect([{ code: 429 }, { status: 503 }, { code: 'bad' }, {}].map(statusOf)).toEqual([
    429, 503, 400, 400,
  ])
})

test.for([
  { object: 'list', data: [{ relevance_score: 0.5, index: 1 }] },
  { results: [{ index: 0, relevanceScore: 0.5 }] },
  { task: 'transcribe', text: 'Galileo', words: [{ word: 'Galileo' }] },
])('%j is an answer', (value) => {
  expect(received(readOne(JSON.stringify(value)).exchanges[0]!)).toBe(JSON.stringify(value))
})

test('an answer can have a head', () => {
  const [text, json] = readOne([
    {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: 1\n\ndata: 2\n\n',
    },
    { status: 529, headers: {}, body: { type: 'error' } },
  ]).exchanges
  expect(pieces(text!)).toEqual(['data: 1\n\n', 'data: 2\n\n'])
  expect([json!.response.status, received(json!)]).toEqual([529, '{"type":"error"}'])
})

test('a status and a body are no recording unless a model could have sent them', () => {
  const route = [{ runtime: 'edge', status: 200, body: { success: true } }]
  const error = { status: 429, body: { error: { message: 'Later.' } } }
  const { recordings, unread } = foreignFolder({ 'routes.json': route, 'error.json': error }).read()
  expect(recordings.map(({ file }) => file)).toEqual(['error.json'])
  // No format is nearest to it.
  expect(unread).toEqual([{ file: 'routes.json', reason: expect.any(String) as string }])
})

test("Gemini CLI's calls are answers in order, streamed where they are lists", async () => {
  const lines = [
    { method: 'generateContent', response: { candidates: [] } },
    { method: 'generateContentStream', response: [{ candidates: [1] }, { candidates: [2] }] },
  ]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const [whole, stream] = readOne(text, 'a.responses').exchanges
  expect(received(whole!)).toBe('{"candidates":[]}')
  expect(whole!.request).toEqual({
    rules: expect.stringMatching(/^generateContent\b/) as string,
  })
  await expectGolden(whole!.request.rules!, 'rules-of-gemini-cli')
  expect(pieces(stream!)).toEqual(['data: {"candidates":[1]}\n\n', 'data: {"candidates":[2]}\n\n'])
  const alone = readOne(JSON.stringify(lines[1]), 'a.responses')
  expect(pieces(alone.exchanges[0]!)).toHaveLength(2)
})
