import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readConversations, type Conversation } from '../../src/conversation/conversation.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { recorded, question } from '../engine/example-session.ts'
import { recordAgent, type AgentTurn } from './example-agent.ts'
import { agentWires, chatWire } from './example-wires.ts'

const anyTurn: fc.Arbitrary<AgentTurn> = fc.record({
  // Few different texts, so that conversations repeat themselves.
  question: fc.constantFrom('yes', 'no', 'go on', 'and then?'),
  arguments: fc.constantFrom<JsonObject>({ path: 'a' }, { path: 'b' }, {}),
  result: fc.constantFrom('done', 'failed', 'yes'),
  answer: fc.constantFrom('yes', 'OK', 'Here it is.', 'go on'),
})

/** What was said, without the times. */
function linesOf({ entries }: Conversation): string[] {
  return entries.flatMap((entry) => {
    if (entry.role === 'dropped') return []
    if (entry.role !== 'assistant')
      return entry.parts.map((part) => ('text' in part ? part.text : ''))
    return [entry.text, ...entry.calls.map(({ result }) => `result: ${String(result)}`)].filter(
      Boolean,
    )
  })
}

function saidBy(turns: AgentTurn[]): string[] {
  return turns.flatMap(({ question, result, answer }) => [question, `result: ${result}`, answer])
}

test.for(agentWires)('any conversation over $name is one thread, whatever is dropped', (wire) => {
  fc.assert(
    fc.property(
      fc.array(anyTurn, { minLength: 1, maxLength: 8 }),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 12 })),
      fc.boolean(),
      (turns, window, stream) => {
        const conversations = readConversations(recordAgent(wire, turns, { window, stream }))
        expect(conversations).toHaveLength(1)
        expect(linesOf(conversations[0]!)).toEqual(['Be kind.', ...saidBy(turns)])
      },
    ),
    { numRuns: 100 },
  )
})

test('any chat that keeps its last exchanges is one thread, whatever was said', () => {
  const text = fc.constantFrom('yes', 'no', 'yes, but')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 4 }),
      (said, kept) => {
        const system = { role: 'system', content: 'Be kind.' }
        const asked = said.map(([content], index) => {
          const past = said.slice(Math.max(0, index - kept), index).flatMap(([user, assistant]) => [
            { role: 'user', content: user },
            { role: 'assistant', content: assistant },
          ])
          return question('', { messages: [system, ...past, { role: 'user', content }] })
        })
        const cassette = recorded(
          ...said.map(([, answer], at) => [asked[at]!, answer] as [Incoming, string]),
        )
        const [conversation, ...others] = readConversations(cassette)
        expect(others).toEqual([])
        expect(linesOf(conversation!)).toEqual(['Be kind.', ...said.flat()])
      },
    ),
    { numRuns: 200 },
  )
})

test('a repeated answer says where a chat of equal words goes on', () => {
  const chat = (...texts: string[]) =>
    texts.map((text) => ({ role: text === 'ok' ? 'assistant' : 'user', content: text }))
  const cassette = recorded(
    [question('', { messages: chat('yes', 'ok', 'yes') }), 'ok'],
    [question('', { messages: chat('yes', 'ok', 'yes', 'be brief') }), 'fine'],
  )
  const [conversation, ...others] = readConversations(cassette)
  expect(others).toEqual([])
  expect(linesOf(conversation!)).toEqual(['yes', 'ok', 'yes', 'ok', 'yes', 'be brief', 'fine'])
})

test('conversations that run side by side are threads of their own', () => {
  fc.assert(
    fc.property(
      fc.array(anyTurn, { minLength: 1, maxLength: 5 }),
      fc.array(anyTurn, { minLength: 1, maxLength: 5 }),
      fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 3, max: 9 })),
      (one, other, order, window) => {
        const [first, second] = [named(one, 'Ada'), named(other, 'Bob')]
        const mixed = interleave(
          recordAgent(chatWire, first, { window }),
          recordAgent(chatWire, second, { window }),
          order,
        )
        const threads = readConversations(mixed).map(linesOf)
        expect(threads.toSorted(byText)).toEqual(
          [first, second].map((turns) => ['Be kind.', ...saidBy(turns)]).toSorted(byText),
        )
      },
    ),
  )
})

test('messages that were dropped are marked where they are missing', () => {
  const turns = Array.from({ length: 4 }, (_, turn) => ({
    question: `question ${turn}`,
    arguments: { turn },
    result: `result ${turn}`,
    answer: `answer ${turn}`,
  }))
  const [conversation] = readConversations(recordAgent(chatWire, turns, { window: 5 }))
  const marks = conversation!.entries.flatMap((entry) =>
    entry.role === 'dropped' ? [[entry.turn, entry.messages]] : [],
  )
  expect(marks[0]).toEqual([2, 2])
  expect(conversation!.entries.at(-1)).toMatchObject({ turn: 4, text: 'answer 3' })
})

test('requests that share only their instructions are not one conversation', () => {
  const system = { role: 'system', content: 'Classify.' }
  const ask = (content: string) => question('', { messages: [system, { role: 'user', content }] })
  const cassette = recorded(
    [ask('good'), 'positive'],
    [ask('bad'), 'negative'],
    [ask('bad'), 'bad'],
  )
  expect(readConversations(cassette)).toHaveLength(3)
})

test('a question that is asked again after an error stays in its conversation', () => {
  const cassette = recorded([question('Hi'), 'x'], [question('Hi'), 'Hello'])
  cassette.exchanges[0]!.wire!.response! = { status: 500, headers: {}, body: { kind: 'empty' } }
  const [conversation, ...others] = readConversations(cassette)
  expect(others).toEqual([])
  expect(linesOf(conversation!)).toEqual(['Hi', 'Hello'])
})

test('a summary in the place of old messages does not end the conversation', () => {
  const messages = (...texts: string[]) =>
    texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }))
  const cassette = recorded(
    [question('', { messages: messages('a') }), 'b'],
    [question('', { messages: messages('a', 'b', 'c') }), 'd'],
    [
      question('', {
        messages: [{ role: 'user', content: 'So far: a, b.' }, ...messages('c', 'd', 'e')],
      }),
      'f',
    ],
  )
  const [conversation, ...others] = readConversations(cassette)
  expect(others).toEqual([])
  expect(linesOf(conversation!)).toEqual(['a', 'b', 'c', 'd', 'So far: a, b.', 'e', 'f'])
})

test('a question asked otherwise is a branch that shows only what is its own', () => {
  const messages = (...texts: string[]) =>
    texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }))
  const cassette = recorded(
    [question('', { messages: messages('a') }), 'b'],
    [question('', { messages: messages('a', 'b', 'c') }), 'd'],
    [question('', { messages: messages('a', 'b', 'x') }), 'y'],
  )
  const [, branch] = readConversations(cassette)
  expect(branch!.branchOf).toEqual({ thread: 'thread-1', step: 1 })
  expect(linesOf(branch!)).toEqual(['x', 'y'])
})

test('a history that OpenAI keeps is followed by its ids', () => {
  const turns = ['one', 'two', 'three'].map((text, index) => {
    const previous: JsonObject = index === 0 ? {} : { previous_response_id: `resp_${index - 1}` }
    return {
      body: { model: 'gpt-5', input: text, ...previous },
      id: `resp_${index}`,
      answer: `to ${text}`,
    }
  })
  const cassette = recorded([question('x'), 'x'], [question('y'), 'y'], [question('z'), 'z'])
  for (const [index, { wire }] of cassette.exchanges.entries()) {
    const { body, id, answer } = turns[index]!
    const output = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
    ]
    wire!.request = {
      method: 'POST',
      url: 'https://api.openai.com/v1/responses',
      body: { kind: 'json', value: body, layout: {} },
    }
    wire!.response!.body = { kind: 'json', value: { id, output }, layout: {} }
  }
  const [conversation, ...others] = readConversations(cassette)
  expect(others).toEqual([])
  expect(linesOf(conversation!)).toEqual(['one', 'to one', 'two', 'to two', 'three', 'to three'])
})

/** The same turns, told apart by a name in everything that is said. */
function named(turns: AgentTurn[], name: string): AgentTurn[] {
  return turns.map(({ question, arguments: args, result, answer }) => ({
    question: `${name}: ${question}`,
    arguments: { ...args, name },
    result: `${name}: ${result}`,
    answer: `${name}: ${answer}`,
  }))
}

function interleave(one: Cassette, other: Cassette, order: boolean[]): Cassette {
  const left = [...one.exchanges]
  const right = [...other.exchanges]
  const exchanges = []
  for (let index = 0; left.length + right.length > 0; index++) {
    const takesLeft = right.length === 0 || (left.length > 0 && order[index % order.length])
    exchanges.push((takesLeft ? left : right).shift()!)
  }
  return {
    ...one,
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, id: `exchange-${index + 1}` })),
  }
}

function byText(one: string[], other: string[]): number {
  return one.join().localeCompare(other.join())
}
