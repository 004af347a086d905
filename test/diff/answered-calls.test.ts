import { expect, test } from 'vitest'
import type { Message } from '../../src/prompt/prompt.ts'
import { changesOf, summariesOf } from './support-prompt.ts'

function rename(messages: Message[], names: Record<string, string>): void {
  for (const part of messages.flatMap((message) => message.parts)) {
    if ('id' in part && part.id) part.id = names[part.id] ?? part.id
  }
}

test('new ids are no change', () => {
  expect(changesOf((prompt) => rename(prompt.messages, { call_a: 'x', call_b: 'y' }))).toEqual([])
})

test('results that answer each other’s calls are changes', () => {
  const summaries = summariesOf((prompt) =>
    rename(prompt.messages.slice(5), { call_a: 'call_b', call_b: 'call_a' }),
  )
  expect(summaries).toEqual([
    'message 6 (tool) result answered call: edited',
    'message 7 (tool) result answered call: edited',
  ])
})

test('a result that answers no call any more is a change', () => {
  expect(summariesOf((prompt) => rename(prompt.messages.slice(5), { call_b: 'call_z' }))).toEqual([
    'message 7 (tool) result answered call: edited',
  ])
})

test('a call inserted before does not change the others', () => {
  const summaries = summariesOf((prompt) => {
    prompt.messages[4]!.parts.unshift({
      type: 'tool_call',
      id: 'new',
      name: 'refund',
      arguments: {},
    })
  })
  expect(summaries).toEqual(['message 5 (assistant) part 1 call refund: added'])
})

test('a call that is gone is one change, its result is not another', () => {
  const summaries = summariesOf((prompt) => prompt.messages[4]!.parts.shift())
  expect(summaries).toEqual(['message 5 (assistant) part 1 call lookup: removed'])
})

test('calls in another order leave their results unchanged', () => {
  expect(summariesOf((prompt) => prompt.messages[4]!.parts.reverse())).toEqual([
    'message 5 (assistant) part 1 call lookup: removed',
    'message 5 (assistant) part 2 call lookup: added',
  ])
})
