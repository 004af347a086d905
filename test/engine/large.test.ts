import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { readConversations } from '../../src/conversation/conversation.ts'
import { printable } from '../../src/text/printable.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { promptFor } from '../../src/engine/read-prompt.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { explainMiss } from '../explain/as-reported.ts'
import { Params } from '../../src/conversation/params.ts'
import { readProposal } from '../../src/recording/propose-params.ts'
import { lineOfValue } from '../../src/tools/verify/verify-cassettes.ts'
import { layoutOf } from '../../src/json/layout.ts'
import { findSpans } from '../../src/json/find-in-json.ts'
import { readText } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import { writeTable } from '../../src/tools/terminal/table.ts'
import { times } from '../effort.ts'
import { openExample, recorded } from './example-session.ts'

const SIZE = times(1_500_000, 6_000_000)

const repeated = (text: string): string => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE)

/** What speech, documents and programs look like at the size that they really have. */
const TEXTS: Record<string, string> = {
  'base64 after words': `Listen: ${repeated('iVBORw0KGgoAAAANSUhEUgAA')}`,
  'one long word': repeated('a'),
  'empty lines': repeated('\n'),
}

function answer(text: string): WireResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readText(
      JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }] }),
    ),
  }
}

function ask(text: string) {
  return readIncoming({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: readText(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: text }] })),
  })
}

function stream(text: string): WireResponse {
  const event = JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })
  const bytes = Buffer.from(`data: ${event}\n\ndata: ${event}\n\n`)
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: readBody(bytes, 'text/event-stream'),
  }
}

test.for(Object.entries(TEXTS))(
  '%s of megabytes are recorded and read again',
  { timeout: 60_000 },
  ([, text]) => {
    const cassette: Cassette = {
      conversationId: 'a.test.ts > asks',
      timestamp: '2026-01-01T00:00:00.000Z',
      exchanges: describeTurns([
        { incoming: ask(text), response: answer(text) },
        { incoming: ask('And as a stream?'), response: stream(text) },
      ]),
    }
    const { stored, blobs } = encodeCassette(cassette, '')
    const printed = printCassette(stored)
    const path = ['exchanges', '1', 'response', 'sent', 'status']
    expect(lineOfValue(printed, path)).toBeGreaterThan(1)
    const read = recognizeCassette(printed) ?? parseCassette(printed)
    expect(decodeCassette(read, (name) => blobs.get(name)!)).toEqual(cassette)
    expect(readConversations(cassette)).toHaveLength(2)
  },
)

test.for(Object.entries(TEXTS))('%s of megabytes that changed are explained', ([, text]) => {
  const session = openExample(recorded([ask(`${text} Be brief.`), 'Yes']))
  const given = session.answer(ask(`${text} Be long.`), { order: 0 })
  if (given.action !== 'refuse') throw new Error(given.action)
  const { details } = explainMiss(session, given.miss, false)
  expect(details.length).toBeLessThan(200_000)
  expect(printable(text)).toHaveLength(text.length)
})

test('parameters are found in a long text, however often they stand there', () => {
  const params = new Params({ order: 'A-4711' })
  const rows = JSON.stringify({ rows: `${'A-4711 '.repeat(200_000)}` })
  const { body } = params.hide(ask(rows).wire)
  expect(JSON.stringify(body)).not.toContain('A-4711')
  const find = (text: string) =>
    Array.from(text.matchAll(/A-4711/g), ({ index }) => ({
      start: index,
      end: index + 6,
      text: 'B',
    }))
  expect(findSpans(rows, find)).toHaveLength(200_000)
})

test('200,000 messages, rows and brackets are read', () => {
  const input = Array.from({ length: 200_000 }, () => ({ role: 'user', content: 'Hi' }))
  const body = readText(JSON.stringify({ model: 'gpt-5', input }))
  const url = 'https://api.openai.com/v1/responses'
  expect(promptFor(readIncoming({ method: 'POST', url, body })).messages).toHaveLength(200_000)
  const rows = input.map(({ content }) => [content, 'x'])
  expect(writeTable([{ title: '' }, { title: '' }], rows, 80)).toHaveLength(200_001)
  const cassette = recorded([ask('Hi'), 'Hello'])
  expect(readProposal('{'.repeat(SIZE), cassette)).toBeUndefined()
  expect(layoutOf(`[1, ${' '.repeat(SIZE)}2]`, [1, 2])).toBeUndefined()
})
