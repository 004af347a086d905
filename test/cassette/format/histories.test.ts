import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { printSealed } from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { writeBody } from '../../../src/wire/body.ts'
import { readText } from '../../../src/wire/body.ts'

const WORDS = 'order lamp desk ship green walnut invoice quiet river stone'.split(' ')

/** About so many characters, different for each number. */
function prose(number: number, length: number): string {
  let text = `(${number})`
  for (let at = number; text.length < length; at = (at * 31 + 7) % 9_973)
    text += ` ${WORDS[at % 10]} ${at}`
  return text
}

const SYSTEM = prose(0, 900)

function cassetteOf(bodies: JsonObject[]): Cassette {
  const turns = bodies.map((body, index) => ({
    incoming: readIncoming({
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      body: readText(JSON.stringify(body)),
    }),
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readText(
        JSON.stringify({
          id: `chatcmpl-${index}aB3dE9xYz`,
          created: 1_795_710_000 + index,
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: answer(index) },
              finish_reason: 'stop',
            },
          ],
        }),
      ),
    },
  }))
  return {
    conversationId: 'a.test.ts > remembers',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(turns),
  }
}

function answer(index: number): string {
  return prose(1_000 + index, 700)
}

function asked(index: number): JsonObject {
  return { role: 'user', content: prose(100 + index, 300) }
}

function said(index: number): JsonObject {
  return { role: 'assistant', content: answer(index) }
}

/** The messages of a turn of one thread; the numbers of its turns. */
function thread(turns: number[]): JsonValue[] {
  return turns.flatMap((turn, at) =>
    at < turns.length - 1 ? [asked(turn), said(turn)] : [asked(turn)],
  )
}

function bodyOf(messages: JsonValue[]): JsonObject {
  return {
    model: 'gpt-5',
    messages: [{ role: 'system', content: SYSTEM }, ...messages],
    temperature: 0,
  }
}

const upTo = (end: number, start = 0, step = 1): number[] =>
  Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, at) => start + at * step)

const HISTORIES: Record<string, JsonObject[]> = {
  '50 turns': upTo(49).map((turn) => bodyOf(thread(upTo(turn)))),
  'two threads that interleave': upTo(49).map((turn) => bodyOf(thread(upTo(turn, turn % 2, 2)))),
  'four threads that interleave': upTo(49).map((turn) => bodyOf(thread(upTo(turn, turn % 4, 4)))),
  'a window of ten messages': upTo(49).map((turn) => bodyOf(thread(upTo(turn)).slice(-10))),
  'a summary in the place of old messages': upTo(49).map((turn) => {
    const first = Math.floor(turn / 8) * 8
    const summary = { role: 'user', content: `So far: ${prose(5_000 + first, 400)}` }
    return bodyOf([...(first > 0 ? [summary] : []), ...thread(upTo(turn, first))])
  }),
  'a mark of the cache that moves': upTo(29).map((turn) => {
    const messages = thread(upTo(turn)).map((message, at, all) => {
      const { role, content } = message as { role: string; content: string }
      const isLast = at === all.length - 1
      return {
        role,
        content: [
          {
            type: 'text',
            text: content,
            ...(isLast ? { cache_control: { type: 'ephemeral' } } : {}),
          },
        ],
      }
    })
    return bodyOf(messages)
  }),
}

/** The texts of a history: the system prompt, what was asked, said and summarised. */
function textsOf(bodies: JsonObject[]): string[] {
  const contents = bodies.flatMap(({ messages }) =>
    (messages as JsonObject[]).map(({ content }) => content),
  )
  const texts = contents.map((content) =>
    typeof content === 'string' ? content : ((content as JsonObject[])[0]!.text as string),
  )
  return [...new Set([...texts, ...bodies.map((_, index) => answer(index))])]
}

test.each(Object.entries(HISTORIES))('%s: each text stands once in the file', (_, bodies) => {
  const cassette = cassetteOf(bodies)
  const text = printSealed(encodeCassette(cassette).stored)
  const read = decodeCassette(parseCassette(text), () => Buffer.alloc(0))
  const sent = read.exchanges.map(({ wire }) =>
    Buffer.concat(writeBody(wire!.request.body)).toString(),
  )
  expect(sent).toEqual(bodies.map((body) => JSON.stringify(body)))
  const texts = textsOf(bodies)
  for (const one of texts) {
    // Each prompt has what is new in it, for people. The first of a thread has all of it.
    const prompts = cassette.exchanges.filter(({ prompt }) => prompt.text.includes(one))
    expect(text.split(one).length - 1, one).toBe(Math.max(prompts.length, 1))
  }
  const length = texts.reduce((sum, one) => sum + one.length, 0)
  expect(text.length).toBeLessThan(length + 2_500 * bodies.length)
  expect(text.split('\n').length).toBeLessThan(60 * bodies.length)
})

test.each(Object.entries(HISTORIES))('%s: a changed answer changes few lines', (_, bodies) => {
  const cassette = cassetteOf(bodies)
  const print = (content: string): string[] => {
    const changed = JSON.parse(
      JSON.stringify(bodies).replaceAll(answer(0), content),
    ) as JsonObject[]
    const made = cassetteOf(changed)
    const [first, ...others] = made.exchanges
    const response = readText(
      JSON.stringify({
        id: 'chatcmpl-0aB3dE9xYz',
        created: 1_795_710_000,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    )
    const wire = { ...first!.wire!, response: { ...first!.wire!.response!, body: response } }
    const exchanges = [
      { ...first!, response: { ...first!.response, text: content }, wire },
      ...others,
    ]
    const { stored } = encodeCassette({ ...cassette, exchanges } as Cassette)
    return printSealed(stored).split('\n')
  }
  const [one, other] = [print(answer(0)), print(`${answer(0)} indeed`)]
  const isNew = other.filter((line) => !one.includes(line))
  expect(isNew.length).toBeLessThanOrEqual(3)
})
