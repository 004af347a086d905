import { expect, test } from 'vitest'
import { diffPrompts } from '../../../src/diff/compare/diff-prompts.ts'
import { summarizeChange } from '../../../src/diff/render/summarize-change.ts'
import type { Part, Prompt } from '../../../src/prompt/prompt.ts'
import { changesOf, promptOf, summariesOf } from '../support-prompt.ts'

const first = (prompt: Prompt, index: number): Part => prompt.messages[index]!.parts[0]!

test('the arguments of a call are compared by path', () => {
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
  expect(added).toEqual(['message 8 (user) part 1: added'])
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
