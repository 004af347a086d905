import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'

/** A request with two calls and their results, with the ids that the four have. */
export interface CallFormat {
  name: string
  asked(call: string, other: string, result: string, otherResult: string): unknown
}

function items(type: string, output: string = `${type}_output`): CallFormat['asked'] {
  return (call, other, result, otherResult) => ({
    model: 'gpt-5',
    input: [
      { type, call_id: call, name: 'a' },
      { type, call_id: other, name: 'a' },
      { type: output, call_id: result, output: 'A' },
      { type: output, call_id: otherResult, output: 'B' },
    ],
  })
}

function blocks(use: string, result: string): CallFormat['asked'] {
  return (call, other, first, second) => ({
    messages: [
      { role: 'assistant', content: [call, other].map((id) => ({ type: use, id, name: 'a' })) },
      {
        role: 'user',
        content: [first, second].map((id, at) => ({ type: result, tool_use_id: id, content: at })),
      },
    ],
  })
}

function parts(call: string, response: string): CallFormat['asked'] {
  return (id, other, result, otherResult) => ({
    contents: [
      { role: 'model', parts: [id, other].map((each) => ({ [call]: { id: each, name: 'a' } })) },
      {
        role: 'user',
        parts: [result, otherResult].map((each, at) => ({ [response]: { id: each, at } })),
      },
    ],
  })
}

const chat: CallFormat['asked'] = (call, other, result, otherResult) => ({
  messages: [
    {
      role: 'assistant',
      tool_calls: [call, other].map((id) => ({ id, type: 'function', function: { name: 'a' } })),
    },
    { role: 'tool', tool_call_id: result, content: 'A' },
    { role: 'tool', tool_call_id: otherResult, content: 'B' },
  ],
})

function inside(around: (body: unknown) => unknown, asked: CallFormat['asked']) {
  return (...ids: Parameters<CallFormat['asked']>): unknown => around(asked(...ids))
}

const anthropic = blocks('tool_use', 'tool_result')
const gemini = parts('functionCall', 'functionResponse')

const converse: CallFormat['asked'] = (call, other, result, otherResult) => ({
  messages: [
    {
      role: 'assistant',
      content: [call, other].map((toolUseId) => ({ toolUse: { toolUseId, name: 'a' } })),
    },
    {
      role: 'user',
      content: [result, otherResult].map((toolUseId, at) => ({ toolResult: { toolUseId, at } })),
    },
  ],
})

const untyped: CallFormat['asked'] = (...ids) => {
  const { messages } = chat(...ids) as { messages: Array<{ tool_calls?: JsonObject[] }> }
  for (const call of messages[0]!.tool_calls!) delete call.type
  return { messages }
}

/** Every place of a protocol at which a call is named. */
export const callFormats: CallFormat[] = [
  { name: 'chat completions', asked: chat },
  { name: 'Ollama, whose calls have no type', asked: untyped },
  { name: "Alibaba Cloud's own form", asked: inside((input) => ({ input }), chat) },
  { name: "Cloudflare's gateway", asked: inside((query) => [{ endpoint: 'chat', query }], chat) },
  { name: 'messages', asked: anthropic },
  {
    name: 'messages with tools of the server',
    asked: blocks('server_tool_use', 'web_search_tool_result'),
  },
  { name: 'messages with tools of MCP', asked: blocks('mcp_tool_use', 'mcp_tool_result') },
  {
    name: 'batches of messages',
    asked: inside((params) => ({ requests: [{ params }] }), anthropic),
  },
  { name: 'Converse', asked: converse },
  {
    name: 'tokens of Converse',
    asked: inside((body) => ({ input: { converse: body } }), converse),
  },
  { name: 'responses', asked: items('function_call') },
  { name: 'responses with custom tools', asked: items('custom_tool_call') },
  { name: 'responses with a computer', asked: items('computer_call') },
  { name: 'responses with a shell', asked: items('shell_call') },
  {
    name: 'Realtime',
    asked: inside((response) => ({ type: 'response.create', response }), items('function_call')),
  },
  {
    name: 'conversations that lie at OpenAI',
    asked: inside((body) => ({ items: (body as JsonObject).input }), items('function_call')),
  },
  {
    name: 'interactions',
    asked: (call, other, result, otherResult) => ({
      input: [
        { type: 'function_call', id: call, name: 'a' },
        { type: 'function_call', id: other, name: 'a' },
        { type: 'function_result', call_id: result, result: 'A' },
        { type: 'function_result', call_id: otherResult, result: 'B' },
      ],
    }),
  },
  { name: 'contents', asked: gemini },
  { name: 'contents in snake case', asked: parts('function_call', 'function_response') },
  {
    name: 'contents whose tokens are counted',
    asked: inside((body) => ({ generateContentRequest: body }), gemini),
  },
  {
    name: 'batches of contents',
    asked: inside(
      (request) => ({ batch: { inputConfig: { requests: { requests: [{ request }] } } } }),
      gemini,
    ),
  },
  {
    name: "Vercel's gateway",
    asked: (call, other, result, otherResult) => ({
      prompt: [
        {
          role: 'assistant',
          content: [call, other].map((toolCallId) => ({ type: 'tool-call', toolCallId })),
        },
        {
          role: 'tool',
          content: [result, otherResult].map((toolCallId, output) => ({
            type: 'tool-result',
            toolCallId,
            output,
          })),
        },
      ],
    }),
  },
  {
    name: "Mistral's conversations",
    asked: (call, other, result, otherResult) => ({
      inputs: [
        ...[call, other].map((tool_call_id) => ({ type: 'function.call', tool_call_id })),
        ...[result, otherResult].map((tool_call_id, result) => ({
          type: 'function.result',
          tool_call_id,
          result,
        })),
      ],
    }),
  },
]

const tool = (more: JsonObject): JsonObject => ({
  messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', ...more }] }],
})

const result = (content: JsonValue): JsonObject => ({
  messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] }],
})

/** Data that is named like the id of a call, by where it stands. */
export const callData: Array<[name: string, asked: (id: string) => unknown]> = [
  ['the input of a tool', (call_id) => tool({ input: { call_id } })],
  ['a call in the input of a tool', (id) => tool({ input: { type: 'function', id } })],
  [
    'a whole history in the input of a tool',
    (id) => tool({ input: chat(id, id, id, id) as JsonObject }),
  ],
  ['the result of a tool', (tool_use_id) => result([{ type: 'tool_result', tool_use_id }])],
  ['a block in the result of a tool', (id) => result([{ type: 'tool_use', id }])],
  [
    'what a call is given',
    (id) => ({
      messages: [
        { tool_calls: [{ function: { arguments: { tool_call_id: id, functionCall: { id } } } }] },
      ],
    }),
  ],
  ['metadata', (call_id) => ({ metadata: { call_id, toolCallId: call_id } })],
  ['the body itself', (tool_call_id) => ({ tool_call_id })],
  [
    'a schema',
    (id) => ({
      tools: [{ type: 'function', function: { parameters: { default: { call_id: id } } } }],
    }),
  ],
  ['a tool with an id', (id) => ({ tools: [{ type: 'function', id, name: 'a' }] })],
  ['a block that is no call', (id) => ({ messages: [{ content: [{ type: 'document', id }] }] })],
  ['a field of a message', (call_id) => ({ messages: [{ role: 'user', content: 'a', call_id }] })],
  [
    "Converse's input of a tool",
    (toolUseId) => ({ messages: [{ content: [{ toolUse: { input: { toolUseId } } }] }] }),
  ],
  [
    "Converse's result of a tool",
    (toolUseId) => ({
      messages: [{ content: [{ toolResult: { content: [{ json: { toolUseId } }] } }] }],
    }),
  ],
  ['an item that is no call', (call_id) => ({ input: [{ type: 'phone_call', call_id }] })],
  ['an item of the server', (id) => ({ input: [{ type: 'web_search_call', id }] })],
  [
    'the output of a call',
    (call_id) => ({ input: [{ type: 'function_call_output', output: [{ call_id }] }] }),
  ],
  [
    "a function's response",
    (id) => ({
      contents: [{ parts: [{ functionResponse: { response: { functionCall: { id } } } }] }],
    }),
  ],
  [
    "a function's arguments",
    (id) => ({ contents: [{ parts: [{ functionCall: { args: { functionCall: { id } } } }] }] }),
  ],
  [
    "the output of Vercel's tool",
    (toolCallId) => ({ prompt: [{ content: [{ type: 'tool-result', output: { toolCallId } }] }] }),
  ],
  ['variables of a stored prompt', (call_id) => ({ prompt: { id: 'p', variables: { call_id } } })],
  [
    'the input of another kind of model',
    (id) => ({ input: { messages: { tool_call_id: id }, type: 'function', id } }),
  ],
  ['a key that is a star', (id) => ({ messages: { '*': { tool_call_id: id } } })],
  ['a key that is a number', (id) => ({ messages: { '0': { tool_call_id: id } } })],
]
