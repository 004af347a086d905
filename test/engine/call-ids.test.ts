import { expect, test } from 'vitest'
import { explainMiss } from '../explain/as-reported.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { expectGolden } from '../golden.ts'
import { openExample, recorded } from './example-session.ts'

function ask(url: string, body: JsonObject): Incoming {
  return readIncoming({ method: 'POST', url, body: readText(JSON.stringify(body)) })
}

/** What a test is told that was recorded with one request and asks another. */
function failureOf(known: Incoming, asked: Incoming): string | undefined {
  const session = openExample(recorded([known, 'Done.']))
  const answer = session.answer(asked, { order: 1 })
  return answer.action === 'refuse' ? explainMiss(session, answer.miss, false).details : undefined
}

const hangUp = (id: string, call_id: string): Incoming =>
  ask('https://api.anthropic.com/v1/messages', {
    model: 'claude-sonnet-4-5',
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'Hang up.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'hang_up', input: { call_id } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
    ],
  })

test('whose call a tool is to hang up counts, and the failure shows it', () => {
  const known = hangUp('toolu_1', 'call-of-bob')
  expect(failureOf(known, hangUp('toolu_2', 'call-of-bob'))).toBeUndefined()
  const failure = failureOf(known, hangUp('toolu_2', 'call-of-alice'))
  expect(failure).toContain('1 change away')
  expect(failure).toContain('arguments.call_id')
  expect(failure).not.toContain('toolu_')
})

const look = (id: string, more: JsonObject): Incoming =>
  ask('https://api.openai.com/v1/responses', {
    model: 'gpt-5',
    input: [
      { role: 'user', content: 'Look it up.' },
      { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: id, output: 'there' },
    ],
    ...more,
  })

test('a failure shows what changed, and none of the ids that are renewed', () => {
  const failure = failureOf(look('call_1', {}), look('call_2', { temperature: 0 }))
  expect(failure).toContain('1 change away')
  expect(failure).toContain('temperature')
  expect(failure).not.toMatch(/call_1|call_2/)
})

test('a result that answers another call is said to do so', async () => {
  const both = (...results: [string, string]): Incoming =>
    ask('https://api.openai.com/v1/chat/completions', {
      model: 'gpt-5',
      messages: [
        { role: 'user', content: 'Look both up.' },
        {
          role: 'assistant',
          tool_calls: ['call_a', 'call_b'].map((id) => ({
            id,
            type: 'function',
            function: { name: 'look', arguments: `{"at":"${id}"}` },
          })),
        },
        ...results.map((tool_call_id, at) => ({ role: 'tool', tool_call_id, content: `${at}` })),
      ],
    })
  const failure = failureOf(both('call_a', 'call_b'), both('call_b', 'call_a'))
  await expectGolden(failure!, 'another-call')
})

const outputs = (...ids: string[]): JsonObject[] =>
  ids.map((call_id, at) => ({ type: 'function_call_output', call_id, output: `result ${at}` }))

test.each<[string, (...ids: string[]) => Incoming]>([
  [
    'a response before it',
    (...ids) =>
      ask('https://api.openai.com/v1/responses', {
        previous_response_id: 'resp_1',
        input: outputs(...ids),
      }),
  ],
  [
    'a conversation',
    (...ids) =>
      ask('https://api.openai.com/v1/conversations/conv_1/items', { items: outputs(...ids) }),
  ],
  [
    'an interaction of Gemini',
    (...ids) =>
      ask('https://generativelanguage.googleapis.com/v1beta/interactions', {
        previous_interaction_id: 'v1_1',
        input: ids.map((call_id, at) => ({ type: 'function_result', call_id, result: at })),
      }),
  ],
  [
    'a conversation of Mistral',
    (...ids) =>
      ask('https://api.mistral.ai/v1/conversations/conv_1', {
        inputs: ids.map((tool_call_id, at) => ({
          type: 'function.result',
          tool_call_id,
          result: `${at}`,
        })),
      }),
  ],
  [
    'a run of an assistant',
    (...ids) =>
      ask('https://api.openai.com/v1/threads/t/runs/r/submit_tool_outputs', {
        tool_outputs: ids.map((tool_call_id, at) => ({ tool_call_id, output: `${at}` })),
      }),
  ],
])('of %s, which call a result answers counts', (_, results) => {
  const known = results('call_a', 'call_b')
  expect(failureOf(known, results('call_a', 'call_b'))).toBeUndefined()
  const failure = failureOf(known, results('call_b', 'call_a'))
  expect(failure).toMatch(/call_a[^]*call_b/)
})

test('agents that ask the same at the same time get each their own answers', () => {
  const asked = (id: string): Incoming => look(id, {})
  const cassette = recorded(
    [asked('call_b'), 'for b'],
    [asked('call_a'), 'for a'],
    [asked('call_c'), 'for c'],
  )
  const session = openExample(cassette)
  const bodies = ['a', 'b', 'c'].map((name, index) => {
    const answer = session.answer(asked(`call_${name}`), { order: index + 1 })
    return answer.action === 'replay' ? JSON.stringify(answer.response.body) : answer.action
  })
  expect(bodies).toEqual(['a', 'b', 'c'].map((name) => expect.stringContaining(`for ${name}`)))
  // Ids that no recorded answer has given say nothing, so the order decides.
  const renewed = openExample(cassette)
  const answer = renewed.answer(asked('call_x'), { order: 1 })
  expect(JSON.stringify(answer)).toContain('for b')
})
