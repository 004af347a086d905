import { expect, test } from 'vitest'
import { contentKey, keyOfInside } from '../../src/diff/change.ts'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import type { Part, Prompt } from '../../src/prompt/prompt.ts'
import { changesOf, promptOf, summariesOf, supportPrompt } from './support-prompt.ts'
import { summarizeChange } from './as-shown.ts'

const first = (prompt: Prompt, index: number): Part => prompt.messages[index]!.parts[0]!

test('arguments of calls are compared by path', () => {
  const summaries = summariesOf((prompt) => {
    Object.assign(first(prompt, 4), { arguments: { order: { id: 9 }, urgent: true } })
  })
  expect(summaries).toEqual([
    'message 5 (assistant) part 1 call lookup arguments.order.id: 7 → 9',
    'message 5 (assistant) part 1 call lookup arguments.urgent: added',
  ])
})

test('another tool called is one change', () => {
  expect(summariesOf((prompt) => Object.assign(first(prompt, 4), { name: 'find' }))).toEqual([
    'message 5 (assistant) part 1 call find name: lookup → find',
  ])
})

test('a tool result that changed is named', () => {
  expect(
    summariesOf((prompt) => Object.assign(first(prompt, 6), { result: { status: 'found' } })),
  ).toEqual(['message 7 (tool) result status: lost → found'])
})

const DOCS = {
  hits: [
    { id: 'a', body: 'Two days.' },
    { id: 'b', body: 'Never.' },
  ],
  took: 3,
}
const OTHER = {
  hits: [
    { id: 'a', body: 'Three days.' },
    { id: 'b', body: 'Never.' },
  ],
  took: 3,
}
const LESS = { hits: [{ id: 'a', body: 'Two days.' }], took: 3 }
const RESULT = 'message 7 (tool) result'

test.each<[string, JsonValue, JsonValue, string[]]>([
  [
    'JSON',
    JSON.stringify(DOCS),
    JSON.stringify(OTHER),
    [`${RESULT} hits[0].body: Two days. → Three days.`],
  ],
  [
    'JSON on many lines',
    JSON.stringify(DOCS, null, 2),
    JSON.stringify(LESS, null, 2),
    [`${RESULT} hits[1]: removed`],
  ],
  [
    'JSON inside of a list of contents',
    [{ type: 'text', text: '{"n":1}' }],
    [{ type: 'text', text: '{"n":2}' }],
    [`${RESULT} [0].text.n: 1 → 2`],
  ],
  [
    'the order of keys',
    '{"a":1,"b":2}',
    '{"b":2,"a":1}',
    [`${RESULT}: {"a":1,"b":2} → {"b":2,"a":1}`],
  ],
  ['spelling', '{"a":1}', '{"a": 1}', [`${RESULT}: {"a":1} → {"a": 1}`]],
  ['a value that is no longer JSON', '{"a":1}', 'gone', [`${RESULT}: {"a":1} → gone`]],
  ['a text', 'Sunny in Bern', 'Rainy in Bern', [`${RESULT}: Sunny in Bern → Rainy in Bern`]],
])('in the result of a tool that is a text, %s is compared', (_, before, after, summaries) => {
  const resulting = (result: JsonValue): Prompt => {
    const prompt = supportPrompt()
    Object.assign(first(prompt, 6), { result })
    return prompt
  }
  const changes = diffPrompts(resulting(before), resulting(after))
  expect(changes.map(summarizeChange)).toEqual(summaries)
})

test('the same edit of a result of a tool is one change, whichever role its message has', () => {
  const keysOf = (role: string, was: string, is: string): string[] => {
    const of = (result: string): Prompt => ({
      ...promptOf(''),
      messages: [{ role, parts: [{ type: 'tool_call_response', id: 'c', result }] }],
    })
    return diffPrompts(of(was), of(is)).map((change) => {
      if (change.kind !== 'edited') throw new Error(change.kind)
      const { place, before, after } = change
      return [keyOfInside(place), contentKey(before), contentKey(after)].join()
    })
  }
  const one = keysOf('tool', '{"n":1}', '{"n":2}')
  expect(keysOf('user', '{"n":1}', '{"n":2}')).toEqual(one)
  expect(keysOf('user', '{"n":1}', '{"n":3}')).not.toEqual(one)
})

test('a replaced image is one change', () => {
  const changes = changesOf((prompt) => {
    prompt.messages[7]!.parts[1] = {
      type: 'blob',
      mimeType: 'image/png',
      hash: 'b'.repeat(64),
      size: 99,
    }
  })
  expect(changes.map(summarizeChange)).toEqual(['message 8 (user) part 2 attachment: edited'])
})

test('added and removed parts are named', () => {
  const added = summariesOf((prompt) =>
    prompt.messages[7]!.parts.unshift({ type: 'text', text: 'Look:' }),
  )
  const removed = summariesOf((prompt) => prompt.messages[7]!.parts.pop())
  expect(added).toEqual(['message 8 (user) part 1: added ("Look:")'])
  expect(removed).toEqual(['message 8 (user) part 2 attachment: removed'])
})

test('a text that became reasoning is a change', () => {
  expect(
    summariesOf((prompt) => Object.assign(first(prompt, 1), { type: 'reasoning' })),
  ).toHaveLength(2)
})

test('what no dialect knows is compared by path, without ids of calls', () => {
  const withOther = (callId: string, status: string): Prompt => ({
    ...promptOf(''),
    messages: [
      {
        role: 'assistant',
        parts: [{ type: 'other', value: { type: 'search', call_id: callId, status } }],
      },
    ],
  })
  expect(diffPrompts(withOther('\u0000call:1', 'open'), withOther('\u0000call:2', 'open'))).toEqual(
    [],
  )
  expect(
    diffPrompts(withOther('\u0000call:1', 'open'), withOther('\u0000call:2', 'done')),
  ).toMatchObject([{ kind: 'edited', place: { path: 'status' } }])
})
