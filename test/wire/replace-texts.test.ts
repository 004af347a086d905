import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf, writeBody, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { replaceTexts } from '../../src/wire/replace-texts.ts'
import { type FindSpans, spreadSpans } from '../../src/json/text-span.ts'
import { bytesOf, eachCorpus } from '../corpus.ts'
import { events, STREAM, STREAMED_TEXTS } from './streamed-texts.ts'

/** Replaces every `from` by `to`. */
function every(from: string, to: string): FindSpans {
  return (text) => {
    const spans = []
    for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length))
      spans.push({ start: at, end: at + from.length, text: to })
    return spans
  }
}

function read(text: string, contentType = 'application/json'): Body {
  return readBody(Buffer.from(text), contentType)
}

function replaced(text: string, find: FindSpans, contentType?: string): string {
  return textOf(replaceTexts(read(text, contentType), find))
}

const quoted = every('secret', 'a "b"\n\\c')

test.for([
  ['a text', '{"a":["my secret"]}', { a: ['my a "b"\n\\c'] }],
  ['a key', '{"secret":1}', { 'a "b"\n\\c': 1 }],
  ['JSON in a text', '{"a":"{\\"b\\": \\"secret\\"}"}', { a: '{"b": "a \\"b\\"\\n\\\\c"}' }],
  ['odd spelling', '{"a":1, "b" :"secret"}', { a: 1, b: 'a "b"\n\\c' }],
])('what stands in %s is replaced and spelled to fit', ([, text, expected]) => {
  expect(JSON.parse(replaced(text as string, quoted))).toEqual(expected)
})

test('a number stays one where it can', () => {
  const text = '{"at":1732212345,"args":"{\\"at\\": 1732212345}","big":12345678901234567890}'
  expect(JSON.parse(replaced(text, every('1732212345', '1800000000')))).toEqual({
    at: 1_800_000_000,
    args: '{"at": 1800000000}',
    big: expect.any(Number),
  })
  const redacted = replaced(text, every('1732212345', '[gone]'))
  expect(JSON.parse(redacted)).toMatchObject({ at: '[gone]', args: '{"at": "[gone]"}' })
  expect(redacted).toContain('12345678901234567890')
})

test('a body in which nothing is found is the same body', () => {
  const body = read(events([{ a: 1, delta: 'x' }, { delta: 'y' }]), STREAM)
  expect(replaceTexts(body, every('secret', ''))).toBe(body)
})

/** Texts over few letters that no field name has, so that what is searched is often there and often split. */
const letters = fc.string({ unit: fc.constantFrom('ä', 'ö', '"', '\\', '{'), maxLength: 30 })

function cut(text: string, places: number[]): string[] {
  const ends = places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b)
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

describe('a text that streams in pieces is replaced like the whole', () => {
  test.for(Object.entries(STREAMED_TEXTS))('%s', ([, format]) => {
    fc.assert(
      fc.property(
        fc.oneof(
          letters,
          fc.dictionary(letters, letters).map((value) => JSON.stringify(value)),
        ),
        fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('äö', 'ä', '"', 'öäö'),
        fc.constantFrom('', 'X', '"\n\\', 'ä'),
        (text, places, from, to) => {
          const pieces = cut(text, places)
          const body = readBody(format.write(pieces), format.contentType)
          const result = replaceTexts(body, every(from, to))
          const whole = read(JSON.stringify({ text }))
          const expected = replaceTexts(whole, every(from, to))
          expect(format.read(result)).toBe(
            expected.kind === 'json' ? (expected.value as { text: string }).text : undefined,
          )
          expect(writeBody(result)).toHaveLength(writeBody(body).length)
        },
      ),
    )
  })
})

test('texts that stream at the same time are told apart', () => {
  const chunk = (index: number, content: string): unknown => ({
    choices: [{ index, delta: { content } }],
  })
  const text = events([chunk(0, 'se'), chunk(1, 'cret'), chunk(1, 'se'), chunk(0, 'cret')])
  const result = replaced(text, every('secret', 'X'), STREAM)
  expect(result).toBe(events([chunk(0, 'X'), chunk(1, 'cret'), chunk(1, 'se'), chunk(0, '')]))
})

test('the whole text that a last event repeats is a text of its own', () => {
  const delta = (piece: string): unknown => ({ type: 'response.output_text.delta', delta: piece })
  const done = (text: string): unknown => ({ type: 'response.output_text.done', text })
  const result = replaced(events([delta('se'), delta('cret'), done('secret')]), quoted, STREAM)
  expect(result).toBe(events([delta('a "b"\n\\c'), delta(''), done('a "b"\n\\c')]))
})

test('a value that every event repeats is found at its borders', () => {
  const whole: FindSpans = (text) =>
    [...text.matchAll(/\bid-1\b/g)].map(({ index }) => ({
      start: index,
      end: index + 4,
      text: 'X',
    }))
  const result = replaced(events([{ id: 'id-1' }, { id: 'id-1' }]), whole, STREAM)
  expect(result).toBe(events([{ id: 'X' }, { id: 'X' }]))
})

test('plain data and lines beside it, as Replicate sends them, keep their form', () => {
  const text = 'event: output\nid: 1\ndata: my se\n\nevent: output\nid: 2\ndata: cret\ndata: b\n\n'
  expect(replaced(text, every('secret', 'X\nY'), STREAM)).toBe(
    'event: output\nid: 1\ndata: my X\ndata: Y\n\nevent: output\nid: 2\ndata: \ndata: b\n\n',
  )
})

test('pieces hold together what the whole text would hold, also where text is only added', () => {
  fc.assert(
    fc.property(letters, fc.array(fc.nat()), fc.array(fc.nat()), (text, cuts, places) => {
      const ends = places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b)
      const spans = ends.map((end, index) => {
        const start = index % 3 === 0 ? (ends[index - 1] ?? 0) : end
        return { start, end, text: `<${index}>` }
      })
      const pieces = cut(text, cuts)
      const replaced = spreadSpans(pieces, spans)
      const whole = spans.map(({ start, text: put }, index) => {
        return text.slice(spans[index - 1]?.end ?? 0, start) + put
      })
      expect(replaced).toHaveLength(pieces.length)
      expect(replaced.join('')).toBe(whole.join('') + text.slice(spans.at(-1)?.end ?? 0))
    }),
  )
})

test.for([
  [['ab', 'cd'], 2, ['abX', 'cd']],
  [['ab', 'cd'], 0, ['Xab', 'cd']],
  [['ab', 'cd'], 4, ['ab', 'cdX']],
  [['', 'ab', ''], 0, ['', 'Xab', '']],
  [['', 'ab', ''], 2, ['', 'abX', '']],
] as const)('of %j, one piece alone changes for a text that is added at %i', ([texts, at, to]) => {
  expect(spreadSpans([...texts], [{ start: at, end: at, text: 'X' }])).toEqual(to)
})

test('what is not replaced keeps its spelling, event by event', () => {
  const text =
    'event: ping\ndata: {"type": "ping"}\n\n: comment\n\nevent: a\ndata: {"text": "secret"}\n\ndata: [DONE]\n\n'
  expect(replaced(text, every('secret', 'X'), STREAM)).toBe(
    'event: ping\ndata: {"type": "ping"}\n\n: comment\n\nevent: a\ndata: {"text": "X"}\n\ndata: [DONE]\n\n',
  )
})

eachCorpus((corpus) => {
  test('real answers keep every byte where a replacement is put back', () => {
    const there = every('a', '\u2603')
    const back = every('\u2603', 'a')
    let streams = 0
    for (const { response_body, response_body_encoding, response_headers } of corpus.slice(
      0,
      4_000,
    )) {
      const bytes = bytesOf(response_body, response_body_encoding)
      if (bytes.length === 0 || bytes.length > 30_000) continue
      const body = readBody(bytes, response_headers?.['content-type'])
      if (body.kind === 'events' || body.kind === 'frames') streams++
      if (textOf(body).includes('\u2603')) continue
      const changed = replaceTexts(body, there)
      expect(writeBody(changed)).toHaveLength(writeBody(body).length)
      const text = textOf(replaceTexts(changed, back))
      expect(text === textOf(body) || spelledAnew(text, textOf(body))).toBe(true)
    }
    expect(streams).toBeGreaterThan(0.05 * corpus.length)
  })
})

/** JSON that had an odd spelling, or escapes, may lose it where it changed. */
function spelledAnew(one: string, other: string): boolean {
  const plain = (text: string): string =>
    text.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return plain(one).replace(/[\s\\]/g, '') === plain(other).replace(/[\s\\]/g, '')
}
