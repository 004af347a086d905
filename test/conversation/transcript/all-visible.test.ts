import fc from 'fast-check'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { type ContextEntry, writeContext } from '../../../src/conversation/context-file.ts'
import { entriesOfContext } from '../../../src/conversation/entries.ts'
import { readConversations } from '../../../src/conversation/conversation.ts'
import { writeMarkdown, writeTranscript } from '../as-shown.ts'
import { cassetteOfContext } from '../../../src/recording/context-cassette.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { readText } from '../../../src/wire/body.ts'
import { recordAgent } from '../example-agent.ts'
import { agentWires, chatWire } from '../example-wires.ts'

const word = fc.stringMatching(/^[a-z]{7,9}$/)
const key = fc.oneof(fc.constantFrom('text', 'type', 'hash', 'size', 'content', 'name', 'id'), word)
const leaf = fc.oneof(word, fc.constantFrom('text', 'blob', 'input_text'))
const { value: any } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}))
const object = fc.dictionary(key, any, { minKeys: 1, maxKeys: 4, noNullPrototype: true })

/** Every text of a value, its keys too. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return Object.entries(value).flatMap(([name, child]) => [name, ...leavesOf(child)])
}

/** A cassette in every format that people read. */
function formatsOf(cassette: Parameters<typeof readConversations>[0]): Record<string, string> {
  const pictures = new Map()
  const colors = pc.createColors(false)
  const said = readConversations(cassette)
  const options = { width: 10_000, full: true, colors, pictures }
  return {
    transcript: said.map((one) => writeTranscript(one, options)).join('\n'),
    markdown: said.map((one) => writeMarkdown(one, pictures)).join('\n'),
    context: JSON.stringify(said.map((one) => writeContext(one, pictures))),
    json: JSON.stringify(said.map(({ entries }) => entries)),
  }
}

test.each(agentWires)('every value of a call and its result is shown, over $name', (wire) => {
  fc.assert(
    fc.property(object, fc.oneof(word, object), word, word, (given, found, question, answer) => {
      const result = typeof found === 'string' ? found : JSON.stringify(found)
      const cassette = recordAgent(wire, [{ question, arguments: given, result, answer }])
      const sent = [question, answer, ...leavesOf(given), ...leavesOf(found)]
      for (const [format, text] of Object.entries(formatsOf(cassette)))
        for (const one of sent) expect(text, format).toContain(one)
    }),
  )
})

test.each(agentWires)('every parameter and tool that was sent is shown, over $name', (wire) => {
  const turn = { question: 'What now?', arguments: {}, result: 'Done.', answer: 'Nothing.' }
  const cassette = recordAgent(wire, [turn])
  const [conversation] = readConversations(cassette)
  const { parameters, tools } = conversation!.steps[0]!.prompt
  const sent = [...leavesOf(parameters), ...leavesOf(tools).filter((text) => text !== 'undefined')]
  const { transcript, markdown } = formatsOf(cassette)
  for (const one of sent) for (const text of [transcript, markdown]) expect(text).toContain(one)
})

test('every value of a message is shown, whoever says it and whatever it consists of', () => {
  const part = fc.oneof(
    word.map((text) => ({ type: 'text', text })),
    word.map((url) => ({ type: 'image_url', image_url: { url: `https://${url}.test/` } })),
    object.map((value) => ({ ...value, type: 'unheard_of' })),
  )
  const content = fc.oneof(word, fc.array(part, { minLength: 1, maxLength: 3 }))
  const message = fc.record(
    {
      role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
      content,
      name: word,
      refusal: word,
      annotations: object,
    },
    { requiredKeys: ['role', 'content'] },
  )
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
      const incoming = readIncoming({
        method: 'POST',
        url: chatWire.url,
        body: readText(JSON.stringify({ model: 'gpt-5', messages })),
      })
      const choice = { message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }
      const body = readText(JSON.stringify({ choices: [choice] }))
      const response = { status: 200, headers: {}, body }
      const exchanges = describeTurns([{ incoming, response, durationMs: 1 }])
      const cassette = { conversationId: 'a > b', timestamp: '2026-01-01T00:00:00.000Z', exchanges }
      const sent = messages.flatMap(({ content, ...others }) => [
        ...Object.values({ ...others, role: '' }).flatMap(leavesOf),
        ...(typeof content === 'string' ? [content] : content.flatMap(saidBy)),
      ])
      const { context: _, ...formats } = formatsOf(cassette)
      for (const [format, text] of Object.entries(formats))
        for (const one of sent) expect(text, format).toContain(one)
    }),
  )
})

test('a failed call says that it failed', () => {
  const cassette = recordAgent(agentWires[2]!, [
    { question: 'q', arguments: { a: 1 }, result: 'broken', answer: 'a' },
  ])
  const [, second] = cassette.exchanges
  const { body } = second!.wire!.request
  const value = (body as unknown as { value: { messages: Array<{ content: JsonObject[] }> } }).value
  value.messages.at(-1)!.content[0]!.is_error = true
  const { context: _, ...formats } = formatsOf(cassette)
  for (const [format, text] of Object.entries(formats)) expect(text, format).toContain('is_error')
})

test.each(['U1', '@U1', '<@U1>'])('the user %s is mentioned once', (user) => {
  const messages = [{ role: 'user', name: user, content: 'Hello' }]
  const incoming = readIncoming({
    method: 'POST',
    url: chatWire.url,
    body: readText(JSON.stringify({ model: 'gpt-5', messages })),
  })
  const response = { status: 200, headers: {}, body: readText('{"choices":[]}') }
  const exchanges = describeTurns([{ incoming, response, durationMs: 1 }])
  const { transcript } = formatsOf({ conversationId: 'a > b', timestamp: '2026-01-01', exchanges })
  expect(transcript).toContain('User <@U1> [Turn 1]')
})

test.each(['', {}, [], null, false, 0])('that a tool answered %j is shown', (result) => {
  const content = { toolCall: 'look_up', parameters: {}, result }
  const entry = { index: 0, turn: 0, timestamp: '2026-01-01T00:00:00Z', role: 'assistant', content }
  const entries = entriesOfContext([entry as ContextEntry], 'context')
  const colors = pc.createColors(false)
  const conversation = { thread: 'thread-1', entries, steps: [] }
  expect(writeTranscript(conversation, { colors, pictures: new Map() })).toContain(
    `🔧 look_up\n✅ ${JSON.stringify(result)}`,
  )
})

test('every value of a context is shown, whatever it is called and wherever it stands', () => {
  const said = fc.record({ userid: word, text: word, reactions: any })
  const flat = fc.record({ toolCall: word, order: any, text: word, reasoning: word })
  const content = fc.record({ toolCall: word, parameters: object, result: any, mood: any })
  fc.assert(
    fc.property(said, fc.oneof(flat, content), word, (user, answer, channel) => {
      const timestamp = '2026-01-01T00:00:00Z'
      const context = [
        { index: 0, turn: 0, timestamp, role: 'user', content: user },
        { index: 1, turn: 1, timestamp, role: 'assistant', content: answer, channel },
      ] as unknown as ContextEntry[]
      const cassette = cassetteOfContext(context, 'a > b')
      const values = [
        ...Object.values(user).flatMap(leavesOf),
        ...Object.values(answer).flatMap(leavesOf),
        channel,
      ]
      const { context: written, ...formats } = formatsOf(cassette)
      for (const [format, text] of Object.entries(formats))
        for (const one of values) expect(text, format).toContain(one)
      expect(JSON.parse(written!)).toEqual([context])
    }),
  )
})

/** What is said of a part: that one is a text or a picture is told by how it looks. */
function saidBy(part: Record<string, unknown>): string[] {
  const { type, ...rest } = part
  if (type === 'text') return [String(part.text)]
  if (type === 'image_url') return [(part.image_url as { url: string }).url]
  return [String(type), ...leavesOf(rest)]
}
