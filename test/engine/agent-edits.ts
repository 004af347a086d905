import type { JsonObject } from '../../src/json/json-value.ts'

/** The second request of a coding agent, as real ones look. */
export const AGENT_REQUEST: JsonObject = {
  model: 'claude-sonnet-4-20250514',
  max_tokens: 32_000,
  temperature: 1,
  stream: true,
  anthropic_version: 'bedrock-2023-05-31',
  metadata: {
    user_id: 'user_8c1e_session_3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f',
    started: 1_763_751_000,
  },
  system: [
    {
      type: 'text',
      text: [
        'You are an agent that works in a terminal. Answer in at most 4 lines.',
        '<env>',
        'Working directory: /home/alice/shop',
        'Scratch folder: /tmp/agent-x7Kd92/work',
        'Platform: linux',
        "Today's date: 2026-11-21",
        'Weekday: Saturday, November 21, 2026',
        'Dev server: http://localhost:41234/api',
        'Session: chat_1763751000123_k3j9x',
        '</env>',
        'Your knowledge ends in October 2024. Prefer the model gpt-4o-2024-08-06 for sub-tasks,',
        'through https://llm.example.com/openai?api-version=2024-10-21.',
      ].join('\n'),
      cache_control: { type: 'ephemeral' },
    },
  ],
  messages: [
    {
      role: 'user',
      content:
        '<now>2026-11-21T18:47:58.712Z</now> Refund order 1042 of 12/05/2025 if it is older than 30 days.',
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look the order up.' },
        {
          type: 'tool_use',
          id: 'toolu_01XFDUDYJgAACzvnptvVoYEL',
          name: 'read_order',
          input: { order: 1042, log: '/tmp/agent-x7Kd92/work/order.log', limit: 50 },
        },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_01XFDUDYJgAACzvnptvVoYEL',
          content:
            '{"order":1042,"ref":"d41d8cd98f00b204e9800998ecf8427e","trace":"01ARZ3NDEKTSV4RRFFQ69G5FAV","amount":49.9,"status":"delivered","job":"job_a1B2c3D4e5F6g7H8","step":"V1StGXR8_Z5jdHi6B-myT","batch":"tz4a98xxat96iws9zmbrgj3a","event":"0ujtsYcgvSTl8PAuAdqWYSMnLOv","checked":"18:47"}',
        },
      ],
    },
  ],
  tools: [
    {
      name: 'read_order',
      description: 'Reads an order by its number.',
      input_schema: {
        type: 'object',
        properties: { order: { type: 'integer' }, limit: { type: 'integer', maximum: 100 } },
        required: ['order'],
      },
    },
  ],
}

/** One edit: what it is called, the text that goes (everywhere, or only once), what comes in its place. */
export type Edit = [name: string, from: string, to: string, where?: 'once']

/** Each lies wholly in a value that a named rule declares. */
export const DECLARED_EDITS: Edit[] = [
  [
    'another session id',
    '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f',
    '9e107d9d-372b-4b8d-a5f1-1c2d3e4f5a6b',
  ],
  ['another start, as a number', '"started":1763751000', '"started":1763837400'],
  ['another home folder', '/home/alice', '/Users/bob'],
  ['another scratch folder, in both places', '/tmp/agent-x7Kd92', '/tmp/agent-Qp31aa'],
  ['a scratch folder of macOS', '/tmp/agent-x7Kd92', '/private/var/folders/zz/q8_x/T/agent-1'],
  ['another date', 'date: 2026-11-21', 'date: 2026-11-22'],
  ['another long date', 'Saturday, November 21, 2026', 'Tuesday, December 1, 2026'],
  ['another port', 'localhost:41234', 'localhost:5173'],
  ['another chat id', '1763751000123_k3j9x', '1763837400999_zz81q'],
  ['another moment', '2026-11-21T18:47:58.712Z', '2026-11-22T08:00:00.001Z'],
  ['a moment with another zone', '2026-11-21T18:47:58.712Z', '2026-11-22T08:00:00+02:00'],
  ['another order date', '12/05/2025', '11/30/2025'],
  ['another reference', 'd41d8cd98f00b204e9800998ecf8427e', '9e107d9d372bb6826bd81d3542a419d6'],
  ['another trace', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
  ['another job', 'a1B2c3D4e5F6g7H8', 'Zz9y8X7w6V5u4T3s'],
  ['another step, by nanoid', 'V1StGXR8_Z5jdHi6B-myT', 'x9Rk_2vLq8-ZtY4mWb7Nc'],
  ['another batch, by cuid2', 'tz4a98xxat96iws9zmbrgj3a', 'pfh0haxfpzowht3oi213cqos'],
  ['another event, by ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', '2srLbtYNsqIOyqtn7aQ0pQdmlPM'],
  ['another time', '18:47\\"', '09:05\\"'],
  [
    'another id of the tool call, in both places',
    'toolu_01XFDUDYJgAACzvnptvVoYEL',
    'toolu_01B5cE7gHjKmNpQrStUvWxYz',
  ],
]

/** Each touches something that nobody declared. */
export const UNDECLARED_EDITS: Edit[] = [
  ['another date of the model', 'claude-sonnet-4-20250514', 'claude-sonnet-4-20250929'],
  ['another version of the API', 'bedrock-2023-05-31', 'bedrock-2023-06-01'],
  ['a shorter answer', '32000', '16000'],
  ['another temperature', '"temperature":1', '"temperature":0.2'],
  ['not streamed', '"stream":true', '"stream":false'],
  ['another user beside the session id', 'user_8c1e_', 'user_9d2f_'],
  ['one word of the instructions', 'works in a terminal', 'works in a browser'],
  ['one number of the instructions', 'at most 4 lines', 'at most 5 lines'],
  ['another project below the home folder', '/home/alice/shop', '/home/alice/bank'],
  ['another folder below the scratch folder', '/work\\n', '/play\\n'],
  ['one scratch folder of two', '/tmp/agent-x7Kd92', '/tmp/agent-Qp31aa', 'once'],
  ['another platform', 'Platform: linux', 'Platform: darwin'],
  ['a word before the date', "Today's date", "Yesterday's date"],
  ['no date any more', '2026-11-21\\nWeekday', 'unknown\\nWeekday'],
  ['another host for the port', 'localhost:41234', 'dev.example.com:41234'],
  ['another path behind the port', '41234/api', '41234/v2'],
  ['another prefix of the chat id', 'chat_176', 'task_176'],
  ['another end of knowledge', 'October 2024', 'March 2025'],
  ['another date of a model in the text', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
  ['another version in an address', 'api-version=2024-10-21', 'api-version=2025-01-01'],
  ['another order', 'order 1042', 'order 1043'],
  ['another name of the step', 'step', 'task'],
  ['another limit in days', '30 days', '14 days'],
  ['one letter of an earlier answer', 'I look the order up.', 'I looked the order up.'],
  ['another argument of a call', '"limit":50', '"limit":10'],
  ['another file in the scratch folder', 'order.log', 'orders.log'],
  ['another amount in a result', '49.9', '39.9'],
  ['another state in a result', 'delivered', 'returned'],
  [
    'another name of a tool',
    '"name":"read_order","description"',
    '"name":"get_order","description"',
  ],
  ['another description of a tool', 'by its number', 'by its id'],
  ['another limit in a schema', '"maximum":100', '"maximum":200'],
  ['the date in place of the long date', 'Saturday, November 21, 2026', '2026-11-21'],
  ['an id in place of a date', 'date: 2026-11-21', 'date: 3f2b8c1e-0000-4c6b-9e8f-0a1b2c3d4e5f'],
  ['a comma', 'terminal. Answer', 'terminal, answer'],
]

/** The request with an edit. */
export function edited([name, from, to, where]: Edit): JsonObject {
  const text = JSON.stringify(AGENT_REQUEST)
  const result = where === 'once' ? text.replace(from, () => to) : text.replaceAll(from, () => to)
  if (result === text) throw new Error(`${name} edits nothing`)
  return JSON.parse(result) as JsonObject
}
