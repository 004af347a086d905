import { samples } from '../providers/samples/index.ts'
import { AGENT_REQUEST } from '../engine/agent-edits.ts'
import type { Sent } from './sent.ts'

function sent(url: string, body: unknown, more: Partial<Sent> = {}): Sent {
  return { method: 'POST', url, headers: {}, body: JSON.stringify(body), ...more }
}

const chat = (model: string): unknown => ({
  model,
  messages: [{ role: 'user', content: 'Where is my order?' }],
})

const calls = ['call_a', 'call_b'].map((id) => ({
  id,
  type: 'function',
  function: { name: 'hang_up', arguments: JSON.stringify({ call_id: `${id}-of-bob` }) },
}))

/** No client asks at the address that MCP servers have in cassettes: `test/wire/mcp-messages.test.ts` has what counts there. */
const asked = samples.filter(({ dialect }) => dialect !== 'mcp')

const onePerDialect = [...Map.groupBy(asked, ({ dialect }) => dialect).values()].map(
  ([first]) => first!,
)

/** Requests as clients send them, by name: one in each wire format, and what is particular. */
export const REQUESTS: Array<[name: string, sent: Sent]> = [
  ...onePerDialect.map(({ dialect, url, body, method, headers }): [string, Sent] => [
    dialect,
    sent(url, body, { ...(method ? { method } : {}), ...(headers ? { headers } : {}) }),
  ]),
  ['a coding agent', sent('https://api.anthropic.com/v1/messages', AGENT_REQUEST)],
  [
    'two calls with data that is named like ids',
    sent('https://api.openai.com/v1/chat/completions', {
      model: 'gpt-5',
      metadata: { call_id: 'call-of-bob', tool_call_id: 'call-of-bob' },
      messages: [
        { role: 'assistant', tool_calls: calls },
        { role: 'tool', tool_call_id: 'call_a', content: 'done' },
        { role: 'tool', tool_call_id: 'call_b', content: 'busy' },
      ],
    }),
  ],
  [
    'calls with input that is named like ids',
    sent('https://api.anthropic.com/v1/messages', {
      model: 'claude-sonnet-4-5',
      max_tokens: 64,
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_a', name: 'hang_up', input: { call_id: 'of-bob' } },
            { type: 'mcp_tool_use', id: 'mcptoolu_b', name: 'hang_up', input: { id: 'of-bob' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_a',
              content: [{ type: 'text', text: 'done', tool_use_id: 'of-alice' }],
            },
            { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_b', content: [] },
          ],
        },
      ],
    }),
  ],
  [
    'a result that continues an earlier response',
    sent('https://api.openai.com/v1/responses', {
      model: 'gpt-5',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'sunny' }],
    }),
  ],
  [
    'an MCP tool',
    sent('https://api.openai.com/v1/responses', {
      model: 'gpt-5',
      input: 'Where is it?',
      tools: [
        {
          type: 'mcp',
          server_label: 'orders',
          server_url: 'https://orders.example/mcp',
          authorization: 'secret-of-a-developer',
          headers: {
            'x-api-key': 'key-of-a-developer',
            'x-readonly': 'true',
            'x-tenant': 'acme-7f3e9b2c1',
          },
        },
      ],
    }),
  ],
  [
    'an address with parameters',
    sent(
      'https://shop.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21&max_tokens=10&keyword=red&key=k&subscription-key=s',
      chat('gpt-5'),
    ),
  ],
]
