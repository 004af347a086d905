import { expect, test } from 'vitest'
import { describeTurns, type Turn } from '../../src/engine/describe.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { question } from './example-session.ts'

const user = { role: 'user', content: 'Where are my orders?' }

function turn(messages: JsonValue[], answer: JsonValue): Turn {
  const body = readText(JSON.stringify({ choices: [{ message: answer, finish_reason: 'stop' }] }))
  return { incoming: question('', { messages }), response: { status: 200, headers: {}, body } }
}

function call(name: string, id?: string): JsonValue {
  return { ...(id ? { id } : {}), type: 'function', function: { name, arguments: '{}' } }
}

test('the result of a tool call stands next to the call', () => {
  const asks = { role: 'assistant', tool_calls: [call('one', 'a'), call('two', 'b')] }
  const results = [
    { role: 'tool', tool_call_id: 'b', content: 'second' },
    { role: 'tool', tool_call_id: 'a', content: 'first' },
  ]
  const [first] = describeTurns([
    turn([user], asks),
    turn([user, asks, ...results], { content: 'Here they are.' }),
  ])
  expect(first!.response.tool_calls).toEqual([
    { tool_name: 'one', parameters: {}, result: 'first' },
    { tool_name: 'two', parameters: {}, result: 'second' },
  ])
})

test('calls without ids get their results in order, each once', () => {
  const asks = (name: string): JsonValue => ({ role: 'assistant', tool_calls: [call(name)] })
  const result = (content: string): JsonValue => ({ role: 'tool', content })
  const history = [user, asks('one'), result('first')]
  const exchanges = describeTurns([
    turn([user], asks('one')),
    turn(history, asks('two')),
    turn([...history, asks('two'), result('second')], { content: 'Done.' }),
  ])
  expect(exchanges.map(({ response }) => response.tool_calls?.[0]?.result)).toEqual([
    'first',
    'second',
    undefined,
  ])
})
