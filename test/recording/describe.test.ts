import { expect, test } from 'vitest'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { sortKeys } from '../../src/json/key-order.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { jsonOf, readText } from '../../src/wire/body.ts'
import { question } from '../engine/example-session.ts'

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

test('the hash that is shown can be computed from the file alone, whatever rules matching has', () => {
  const wire = question('Hi', { user: 'u-1' }).wire
  const incoming = readIncoming(wire, { volatile: ['$.user'] })
  const answer = turn([user], { content: 'Hello.' }).response
  const [exchange] = describeTurns([{ incoming, response: answer }])
  expect(exchange!.prompt.hash).toBe(readIncoming(wire).hash)
  expect(exchange!.prompt.hash).not.toBe(incoming.hash)
})

test('a file reads like what was recorded, in whatever order an application writes keys', () => {
  const call = { functionCall: { name: 'add', args: { y: 2, x: 1 } } }
  const contents = [
    { role: 'user', parts: [{ text: 'Add.' }] },
    { role: 'model', parts: [call] },
    { role: 'user', parts: [{ functionResponse: { name: 'add', response: { z: 3, a: 1 } } }] },
  ]
  const asked = [contents.slice(0, 1), contents].map((list) =>
    readText(JSON.stringify({ contents: list })),
  )
  const response = {
    status: 200,
    headers: {},
    body: readText(JSON.stringify({ candidates: [{ content: contents[1]! }] })),
  }
  const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent'
  const describe = (sort: boolean): unknown =>
    describeTurns(
      asked.map((body) => ({
        incoming: readIncoming({
          method: 'POST',
          url,
          body: sort ? { kind: 'json', value: sortKeys(jsonOf(body)!), layout: {} } : body,
        }),
        response,
      })),
    ).map(({ prompt, response: { tool_calls: calls } }) => ({ prompt, calls }))
  // The order of keys in the file counts too.
  expect(JSON.stringify(describe(true))).toBe(JSON.stringify(describe(false)))
})
