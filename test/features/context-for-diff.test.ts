import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../../src/cassette/cassette.ts'
import { entryContent } from '../../src/conversation/context.ts'
import type { ContextEntry } from '../../src/conversation/context-file.ts'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { contextForDiff, saysContext } from '../../src/features/hand-written.ts'
import { cassetteOfContext } from '../../src/recording/context-cassette.ts'
import type { Message, Part, Prompt } from '../../src/prompt/prompt.ts'
import { anyContext } from '../conversation/any-context.ts'

test('whatever an application sends, what differs from a context can be shown', () => {
  fc.assert(
    fc.property(
      anyContext,
      fc.array(fc.tuple(fc.nat(), fc.nat(3))),
      anyContext,
      (is, edits, other) => {
        const cassette = tryCassette(is)
        fc.pre(cassette !== undefined)
        const exchanges = cassette!.exchanges as Exchange[]
        const place = exchanges.length - 1
        const asked = promptOf(edited(is, edits, other).slice(0, -1))
        const earlier = exchanges.slice(0, place)
        const messages = contextForDiff(exchanges[place]!, earlier, asked)
        const changes = diffPrompts({ ...asked, messages }, asked)
        expect(changes.length > 0).toBe(!saysContext(exchanges[place]!, earlier, asked))
      },
    ),
  )
})

test('pictures and thoughts, which no context compares, stay where the application sends them', () => {
  const [first, answer] = [entry('user', 'What is it?'), entry('assistant', 'A cat.')]
  const { exchanges } = cassetteOfContext([first, answer], 'a.test.ts > asks')
  const picture: Part = { type: 'blob', hash: 'x', size: 3 }
  const asked = promptOf([entry('user', 'What was it?')])
  asked.messages[0]!.parts.push(picture)
  asked.messages.unshift({ role: 'user', parts: [picture] })
  const meant = contextForDiff(exchanges[0] as Exchange, [], asked)
  expect(meant).toEqual([
    { role: 'user', parts: [picture] },
    { role: 'user', parts: [{ type: 'text', text: 'What is it?' }, picture] },
  ])
})

test('of messages in a row, only the one that changed differs', () => {
  const said = [entry('user', 'One.'), entry('user', 'Two.'), entry('assistant', 'Three.')]
  const { exchanges } = cassetteOfContext(said, 'a.test.ts > counts')
  const asked = promptOf([entry('user', 'One.'), entry('user', '2.')])
  const meant = contextForDiff(exchanges[0] as Exchange, [], asked)
  expect(meant.map(({ parts }) => parts)).toEqual([
    [{ type: 'text', text: 'One.' }],
    [{ type: 'text', text: 'Two.' }],
  ])
})

function entry(role: ContextEntry['role'], content: string): ContextEntry {
  return { index: 0, turn: 0, timestamp: '2026-01-01T00:00:00Z', role, content }
}

function tryCassette(entries: ContextEntry[]): ReturnType<typeof cassetteOfContext> | undefined {
  try {
    return cassetteOfContext(entries, 'a.test.ts > asks')
  } catch {
    return undefined
  }
}

/** Entries of which some are left out, doubled, replaced by others, or moved. */
function edited(
  entries: readonly ContextEntry[],
  edits: ReadonlyArray<[place: number, how: number]>,
  others: readonly ContextEntry[],
): ContextEntry[] {
  const result = [...entries]
  for (const [number, how] of edits) {
    const place = number % Math.max(1, result.length - 1)
    const other = others[number % others.length]!
    if (how === 0) result.splice(place, 1)
    else if (how === 1) result.splice(place, 0, other)
    else if (how === 2) result.splice(place, 1, other)
    else result.unshift(...result.splice(place, 1))
  }
  return result
}

/** The prompt of an application that sends these entries. */
function promptOf(entries: readonly ContextEntry[]): Prompt {
  const messages = entries.flatMap((one, index): Message[] => {
    const { text, userId, call, result } = entryContent(one)
    const id = `call_${index}`
    const said: Part[] = text === '' ? [] : [{ type: 'text', text }]
    const called: Part[] = call
      ? [{ type: 'tool_call', id, name: call.name, arguments: call.parameters }]
      : []
    const extra = userId === undefined ? {} : { extra: { name: userId } }
    const message: Message = { role: one.role, parts: [...said, ...called], ...extra }
    if (!call || result === undefined) return [message]
    return [message, { role: 'tool', parts: [{ type: 'tool_call_response', id, result }] }]
  })
  return { provider: 'openai', operation: 'chat', parameters: {}, tools: [], messages }
}
