import { expect, test } from 'vitest'
import { readConversations } from '../../src/conversation/conversation.ts'
import { findPictures } from '../../src/conversation/find-pictures.ts'
import {
  countOnlyNamed,
  PROVIDER_FORMATS,
  providerMessages,
} from '../../src/conversation/provider-messages.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { jsonOf } from '../../src/wire/body.ts'
import { recordAgent, type AgentTurn } from './example-agent.ts'
import { agentWires, anthropicWire, chatWire, responsesWire } from './example-wires.ts'

const turns: AgentTurn[] = ['one', 'two'].map((name) => ({
  question: `question ${name}`,
  arguments: { name },
  result: `result ${name}`,
  answer: `answer ${name}`,
}))

function resume(cassette: Cassette, format: (typeof PROVIDER_FORMATS)[number]) {
  const pictures = findPictures(cassette.exchanges)
  return providerMessages(readConversations(cassette)[0]!, format, pictures)
}

test('a conversation is resumed with the messages that its last request had, and the answer', () => {
  const cassette = recordAgent(chatWire, turns)
  const body = jsonOf(cassette.exchanges.at(-1)!.wire!.request.body) as { messages: JsonValue[] }
  expect(resume(cassette, 'openai-chat')).toEqual({
    messages: [...body.messages, { role: 'assistant', content: 'answer two' }],
  })
})

test.for(PROVIDER_FORMATS)(
  'a conversation is resumed with %s, whatever it was recorded with',
  (format) => {
    const texts = agentWires.map((wire) => JSON.stringify(resume(recordAgent(wire, turns), format)))
    expect(new Set(texts).size).toBe(1)
    for (const said of turns.flatMap(({ question, result, answer }) => [question, result, answer]))
      expect(texts[0]).toContain(said)
  },
)

test('messages of Anthropic take turns', () => {
  const { messages, system } = resume(recordAgent(chatWire, turns), 'anthropic-messages') as {
    messages: Array<{ role: string }>
    system: string
  }
  expect(system).toBe('Be kind.')
  for (const [index, { role }] of messages.entries())
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
})

test('messages that were dropped are there again', () => {
  for (const wire of [chatWire, responsesWire, anthropicWire]) {
    const whole = resume(recordAgent(wire, turns), 'openai-chat')
    expect(resume(recordAgent(wire, turns, { window: 2 }), 'openai-chat')).toEqual(whole)
  }
})

test.for(PROVIDER_FORMATS)('calls without an id get one each: %s', (format) => {
  const [conversation] = readConversations(recordAgent(chatWire, turns))
  const entries = conversation!.entries.map((entry) =>
    entry.role === 'assistant'
      ? {
          ...entry,
          exchange: 'context',
          calls: entry.calls.map((call) => ({ ...call, id: undefined })),
        }
      : entry,
  )
  const bare = { ...conversation!, entries } as typeof conversation & {}
  const text = JSON.stringify(providerMessages(bare, format, findPictures([])))
  for (const id of ['call_context_1', 'call_context_2'])
    expect(text.match(new RegExp(`"${id}"`, 'g'))).toHaveLength(2)
})

test('a call at the end waits for its result', () => {
  const cassette = recordAgent(chatWire, turns)
  const open = { ...cassette, exchanges: cassette.exchanges.slice(0, 3) }
  delete open.exchanges[2]!.response.tool_calls![0]!.result
  const { messages } = resume(open, 'openai-chat') as { messages: Array<{ role: string }> }
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'call_2' }] })
})

test('pictures that are only named are counted, in results of tools too', () => {
  const small = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')
  const cassette = recordAgent(chatWire, [{ ...turns[0]!, screenshot: small }])
  const { entries } = readConversations(cassette)[0]!
  expect(countOnlyNamed(entries, findPictures(cassette.exchanges))).toBe(1)
  const result: JsonValue = [
    { type: 'text', text: 'sunny' },
    { type: 'blob', hash: 'a'.repeat(64), size: 10 },
  ]
  const call = { name: 'look', parameters: {}, result }
  const answer = {
    role: 'assistant' as const,
    text: '',
    calls: [call],
    turn: 1,
    time: '',
    exchange: '',
  }
  expect(countOnlyNamed([answer], new Map())).toBe(1)
})

test('pictures are sent again', () => {
  const screenshot = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000', 'hex'),
    Buffer.alloc(2_000, 7),
  ]).toString('base64')
  const cassette = recordAgent(chatWire, [{ ...turns[0]!, screenshot }])
  for (const format of PROVIDER_FORMATS)
    expect(JSON.stringify(resume(cassette, format))).toContain(screenshot)
  const { entries } = readConversations(cassette)[0]!
  expect(countOnlyNamed(entries, findPictures(cassette.exchanges))).toBe(0)
})
