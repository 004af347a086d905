import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { foldAnswer, piecesOf } from '../../../src/recording/fold-answer.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import type { WireResponse } from '../../../src/wire/message.ts'
import { requestTo } from '../../providers/wire.ts'
import { recordTurns, replayTurns } from './record-turns.ts'
import { renewingWires } from './renewing-wires.ts'

const linesOf = (cassette: Cassette): string[] =>
  printCassette(encodeCassette(cassette, '').stored).split('\n')

/** The lines but for what a prompt took, which is that of each new one. */
const bareLinesOf = (cassette: Cassette): string[] =>
  linesOf(cassette)
    .filter((line) => !/^ *"(?:usage"|\w*input_tokens")/.test(line))
    .map((line) =>
      line.replace(
        /"(?:usage|usageMetadata)":\{(?:[^{}]|\{[^{}]*\})*\}|"[^"]*totalTokenCount":\[[^\]]*\]/g,
        '',
      ),
    )

test.for(renewingWires)(
  '$name: a word of an answer is a line of its text and one of its stream, wherever that was cut',
  async (wire) => {
    for (let round = 0; round < 5; round++) {
      const [old, fresh] = [await recordTurns(wire), await recordTurns(wire, { changed: 2 })]
      const settled = keepUnchanged()(old, fresh)
      await replayTurns(wire, settled, { changed: 2 })
      const known = new Set(bareLinesOf(old))
      const anew = bareLinesOf(settled).filter((line) => !known.has(line))
      expect(anew.at(-1)).toContain('"timestamp"')
      const changed = anew.slice(0, -1).filter((line) => !line.includes('yesterday'))
      expect(changed.length, changed.join('\n')).toBeLessThanOrEqual(1)
      expect(linesOf(settled)).toHaveLength(linesOf(old).length)
    }
  },
)

describe.for(renewingWires)('$name', (wire) => {
  test.for([
    ['says another word', 'word', 'yesterday'],
    ['calls with another word', 'call', 'was not known'],
    ['says something else', 'text', 'Nobody here'],
  ] as const)(
    'where every answer of ten turns %s, git shows about 60 lines at most',
    async ([, changes, word]) => {
      const [old, fresh] = [
        await recordTurns(wire, { turns: 10, changes }),
        await recordTurns(wire, { turns: 10, changed: 'all', changes }),
      ]
      const settled = keepUnchanged()(old, fresh)
      await replayTurns(wire, settled, { turns: 10 })
      const [before, after] = [bareLinesOf(old), bareLinesOf(settled)]
      const [was, is] = [new Set(before), new Set(after)]
      const removed = before.filter((line) => !is.has(line))
      const added = after.filter((line) => !was.has(line))
      expect(added.filter((line) => line.includes(word)).length).toBeGreaterThanOrEqual(10)
      // Three lines of each answer, removed and added, and the last line of the file.
      expect(added.length + removed.length).toBeLessThanOrEqual(62)
    },
  )
})

/** A stream of OpenAI's chat, one event for each piece. */
function stream(pieces: string[], tokens = 3, calls: JsonObject[] = []): WireResponse {
  const id = `chatcmpl-${randomUUID()}`
  const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
    id,
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  })
  const events = [
    ...pieces.map((content) => chunk({ content })),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    chunk({}, { usage: { completion_tokens: tokens } }),
  ]
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const type = 'text/event-stream'
  return { status: 200, headers: { 'content-type': type }, body: readBody(Buffer.from(text), type) }
}

test('an event that also has an id stays an event where a value that does not count is kept', () => {
  const said = (created: number, content: string): WireResponse => {
    const data = JSON.stringify({
      id: 'chatcmpl-1',
      created,
      choices: [{ index: 0, delta: { content } }],
    })
    const type = 'text/event-stream'
    const body = readBody(Buffer.from(`id: 1\ndata: ${data}\n\n`), type)
    return { status: 200, headers: { 'content-type': type }, body }
  }
  expect(stored(said(1_700_000_001, 'Yes.'), said(1_700_000_002, 'Nobody knows it.'))).toEqual([
    'Nobody knows it.',
  ])
})

/** The contents of the events that are stored where one answer takes the place of another. */
function stored(old: WireResponse, fresh: WireResponse): unknown[] {
  const messages = [{ role: 'user', content: 'Well?' }]
  const request = requestTo('https://api.openai.com/v1/chat/completions', {
    model: 'gpt-5',
    stream: true,
    messages,
  })
  const cassette = (response: WireResponse): Cassette => ({
    conversationId: 'recut',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([{ incoming: readIncoming(request), response }]),
  })
  const [exchange] = keepUnchanged()(cassette(old), cassette(fresh)).exchanges
  const pieces = piecesOf(exchange!.wire!.response!.body) as Array<{ value: any }>
  expect(foldAnswer(exchange!.wire!.response!, 'openai-chat').said).toBe(
    foldAnswer(fresh, 'openai-chat').said,
  )
  return pieces.map(
    ({ value }) =>
      value.choices[0].delta.content ?? value.choices[0].delta.tool_calls ?? value.usage,
  )
}

test('what else an answer says anew is taken from it: what it took, a call', () => {
  const old = stream(['It is ', 'packed ', 'today.'])
  expect(stored(old, stream(['It i', 's packed yester', 'day.'], 4))).toEqual([
    'It is ',
    'packed ',
    'yesterday.',
    { completion_tokens: 4 },
  ])
  const call = { index: 0, id: 'call_1', function: { name: 'look', arguments: '{}' } }
  expect(stored(old, stream(['It is packed', ' today.'], 3, [call]))).toEqual([
    'It is packed',
    ' today.',
    [call],
    { completion_tokens: 3 },
  ])
})

test('an answer that says something else comes in as many pieces as the one before', () => {
  expect(stored(stream(['', 'It is ', 'packed.']), stream(['No ', 'idea🙂, ', 'really.']))).toEqual(
    ['', 'No idea🙂', ', really.', { completion_tokens: 3 }],
  )
  const [few, many] = [
    ['a', 'b', 'c'],
    ['🙂', '🙃', 'd'],
  ]
  expect(stored(stream(few), stream([many.join('')])).slice(0, -1)).toEqual(many)
})

test.for([
  ['much longer', 'No idea, really, and nobody else knows.'],
  ['much shorter', 'No.'],
  ['of fewer letters than there were pieces', 'No idea'],
])('an answer that is %s keeps the pieces that it came in', ([, text]) => {
  const fresh = [text!.slice(0, 2), text!.slice(2)]
  expect(stored(stream(['It', ' ', 'is', ' ', 'pa', 'ck', 'e', 'd']), stream(fresh))).toEqual([
    ...fresh,
    { completion_tokens: 3 },
  ])
})

/** What is stored of two answers in JSON to a question that may have changed in between. */
function took(fresh: JsonObject, { question = 'Well?', text = 'Yes.' } = {}): unknown {
  const cassette = (asked: string, said: string, id: string, usage: JsonObject): Cassette => {
    const request = requestTo('https://api.openai.com/v1/chat/completions', {
      model: 'gpt-5',
      messages: [{ role: 'user', content: asked }],
    })
    const message = { role: 'assistant', content: said }
    const answer = {
      id,
      created: 1,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    const headers = { 'content-type': 'application/json' }
    const body = readBody(Buffer.from(JSON.stringify(answer)), 'application/json')
    return {
      conversationId: 'took',
      timestamp: '2026-01-01T00:00:00.000Z',
      exchanges: describeTurns([
        { incoming: readIncoming(request), response: { status: 200, headers, body } },
      ]),
    }
  }
  const old = cassette('Well?', 'Yes.', 'chatcmpl-0aQ2wE4rT6', {
    prompt_tokens: 42,
    completion_tokens: 12,
    total_tokens: 54,
  })
  const settled = keepUnchanged()(old, cassette(question, text, 'chatcmpl-9zX8cV7bN6', fresh))
  const [{ value }] = piecesOf(settled.exchanges[0]!.wire!.response!.body) as [{ value: any }]
  expect(value.id).toBe('chatcmpl-0aQ2wE4rT6')
  return value.usage
}

const CACHED = {
  prompt_tokens: 1068,
  completion_tokens: 12,
  total_tokens: 1080,
  prompt_tokens_details: { cached_tokens: 1024 },
}

test('what a prompt took is written with it, or with another answer, and else stays as it was', () => {
  expect(took(CACHED, { question: 'Well, and why?' })).toEqual(CACHED)
  expect(took(CACHED, { text: 'No.' })).toEqual(CACHED)
  expect(took(CACHED)).toEqual({ prompt_tokens: 42, completion_tokens: 12, total_tokens: 54 })
})
