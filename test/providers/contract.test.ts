import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialectOf, dialects } from '../../src/providers/dialects.ts'
import { endpointOf } from '../../src/providers/providers.ts'
import { parseJson, type JsonObject, type JsonValue } from '../../src/json/json-value.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import type { Body } from '../../src/wire/body.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import { isAll } from '../effort.ts'
import { testIf } from '../needs.ts'
import { samples } from './samples/index.ts'
import { streamedFormOf } from './streamed-form.ts'
import { answer, chunks, data, jsonLines, named, requestTo, stream } from './wire.ts'
import { alter, pathsIn, remove, type Path } from './variants.ts'

/** Names of fields that do not tell a format apart when they are left out. */
const OPTIONAL = ['type', 'arguments']

const hostile: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  fc.constantFrom<JsonValue>(
    parseJson('1.0'),
    parseJson('[1e400, -0]'),
    parseJson('{"__proto__": {"text": 1}, "constructor": "x"}'),
    { type: 'text', text: 7 },
    { index: 1e9, content_index: 1e9 },
    '['.repeat(5_000),
    '\uD800',
  ),
)

test.each(dialects)('$name has a sample', ({ name }) => {
  expect(samples.map((sample) => sample.dialect)).toContain(name)
})

describe.each(samples.map((sample) => ({ ...sample, ...streamedFormOf(sample) })))(
  '$dialect',
  ({ dialect: name, url, body, plain, events, completion, streamed, errors, ...sample }) => {
    const { method = 'POST', lines, frames, afterEnd, silent, optional } = sample
    const dialect = dialects.find((other) => other.name === name)!
    const whole = events ?? []
    const endsBefore = whole.length - (afterEnd ?? 0)
    const left = [...OPTIONAL, ...(optional ?? [])]

    test('is the dialect of its sample', () => {
      expect(dialectOf(requestTo(url, body, method)).name).toBe(name)
    })

    test('reads the plain answer', () => {
      expect(dialect.readCompletion(answer(plain))).toEqual(completion)
    })

    testIf(events)('reads the streamed answer as the plain one', () => {
      expect(dialect.readCompletion(streamed(...whole))).toEqual(completion)
      if (frames) return
      const windows = whole.map((event) => event.replaceAll('\n', '\r\n'))
      const hello = lines ? '\r\n' : ': hello\r\n\r\n'
      expect(dialect.readCompletion(streamed(hello, ...windows))).toEqual(completion)
    })

    test('reads a plain answer that calls itself a stream', () => {
      expect(dialect.readCompletion(stream(JSON.stringify(plain)))).toEqual(completion)
    })

    testIf(events)('reads an error amid its stream, whatever its form', () => {
      for (const error of errors) {
        const read = dialect.readCompletion(streamed(...whole.slice(0, 2), error))
        expect(read).toMatchObject({ error: 'Down.', incomplete: true })
      }
    })

    testIf(events && !lines && !frames)('reads a stream without the names of its events', () => {
      const unnamed = whole.map((event) => event.replace(/^event: .*\n/, ''))
      expect(dialect.readCompletion(stream(...unnamed))).toEqual(completion)
    })

    testIf(events)('calls a stream that was cut at any event incomplete', () => {
      for (let length = silent ? 1 : 0; length < endsBefore; length++) {
        const cut = dialect.readCompletion(streamed(...whole.slice(0, length)))
        expect(cut, `after ${length} events`).toMatchObject({ incomplete: true })
        expect(completion.text.startsWith(cut.text)).toBe(true)
        expect((completion.reasoning ?? '').startsWith(cut.reasoning ?? '')).toBe(true)
      }
    })

    const noticesBroken = events && name !== 'replicate' && name !== 'generic'
    testIf(noticesBroken)('calls a stream incomplete that has a broken event in the middle', () => {
      const broken = frames
        ? whole[0]!.slice(0, -9)
        : whole[0]!.replace(/\}\s*$/, lines ? '\n' : '\n\n')
      const read = dialect.readCompletion(streamed(...whole.slice(0, 1), broken, ...whole.slice(1)))
      expect(read).toMatchObject({ incomplete: true })
    })

    testIf(events)('passes over an event that it does not know', () => {
      const event: JsonObject = { type: 'surprise', surprise: { text: 'Boo.' } }
      const spelled = frames ? chunks(event) : lines ? jsonLines(event) : named(event as never)
      const read = dialect.readCompletion(
        streamed(...whole.slice(0, 1), ...spelled, ...whole.slice(1)),
      )
      expect(read).toEqual(completion)
    })

    test('calls an answer incomplete whose connection broke', () => {
      expect(dialect.readCompletion({ ...answer(plain), cut: true })).toEqual({
        ...completion,
        incomplete: true,
      })
    })

    test('calls JSON incomplete that does not parse', () => {
      const { headers, status } = answer(plain)
      const text = JSON.stringify(plain).slice(0, -1)
      const cut: WireResponse = { status, headers, body: { kind: 'text', text } }
      expect(dialect.readCompletion(cut)).toMatchObject({ incomplete: true })
    })

    test('reads an error in every spelling', () => {
      const spellings: [unknown, string][] = [
        [{ error: { message: 'Too fast.', code: 429 } }, 'Too fast.'],
        [{ error: 'Too fast.' }, 'Too fast.'],
        [{ type: 'error', error: { type: 'rate_limit_error', message: 'Too fast.' } }, 'Too fast.'],
        [{ object: 'error', message: 'Too fast.' }, 'Too fast.'],
        [{ message: 'Too fast.' }, 'Too fast.'],
        [{ detail: 'Too fast.' }, 'Too fast.'],
        [[{ error: { message: 'Too fast.' } }], 'Too fast.'],
        [{ error: { code: 7 } }, '{"code":7}'],
        ['<h1>Too fast.</h1>', '<h1>Too fast.</h1>'],
        ['', 'HTTP 429'],
      ]
      for (const [value, error] of spellings) {
        const { incomplete, ...read } = dialect.readCompletion(answer(value, 429))
        expect(read).toEqual({ text: '', toolCalls: [], finishReasons: [], error })
        expect(incomplete).toBeUndefined()
      }
    })

    test('changes its prompt with every change of the body', () => {
      const before = JSON.stringify(dialect.readPrompt(requestTo(url, body, method)))
      const same = (changed: JsonObject) =>
        JSON.stringify(dialect.readPrompt(requestTo(url, changed, method))) === before
      const lost: Path[] = []
      for (const path of pathsIn(body)) {
        if (same(alter(body, path, (value) => otherThan(value)))) lost.push(path)
        if (!left.includes(String(path.at(-1))) && same(remove(body, path))) lost.push(path)
      }
      expect(lost).toEqual([])
    })

    test('reads any request without throwing', () => {
      const paths = pathsIn(body)
      fc.assert(
        fc.property(fc.constantFrom(...paths), hostile, (path, value) => {
          const request = requestTo(
            url,
            alter(body, path, () => value),
            method,
          )
          for (const each of dialects) each.claims(request)
          const prompt = dialect.readPrompt(request)
          expect(prompt.messages.every(({ parts }) => Array.isArray(parts))).toBe(true)
          expect(() => JSON.stringify(prompt)).not.toThrow()
        }),
      )
    })

    test('reads any answer without throwing', () => {
      const paths = pathsIn(plain)
      fc.assert(
        fc.property(fc.constantFrom(...paths), hostile, (path, value) => {
          expectCompletion(dialect.readCompletion(answer(alter(plain, path, () => value))))
        }),
      )
    })

    testIf(events && !frames)('reads any stream without throwing', () => {
      const values = whole.flatMap((event): JsonObject[] => {
        const [, json] = /^(?:.*\n)?(?:data: )?(\{.*)\n/.exec(event) ?? []
        return json === undefined ? [] : [parseJson(json) as JsonObject]
      })
      fc.assert(
        fc.property(fc.nat(), fc.nat(), hostile, (place, field, value) => {
          const index = place % values.length
          const paths = pathsIn(values[index]!)
          const changed = alter(values[index]!, paths[field % paths.length]!, () => value)
          const spelled = lines ? jsonLines : data
          const hostileStream = streamed(...spelled(...values.with(index, changed)))
          expectCompletion(dialect.readCompletion(hostileStream))
        }),
      )
    })

    test('reads a body without throwing that is nested beyond measure', () => {
      for (const inner of ['', '1e5']) {
        const text = '['.repeat(20_000) + inner + ']'.repeat(20_000)
        const deep: Body = { kind: 'text', text }
        expectCompletion(dialect.readCompletion({ status: 200, headers: {}, body: deep }))
        const event: Body = { kind: 'text', text: `data: {"type":"x","a":${text}}\n\n` }
        expectCompletion(dialect.readCompletion({ status: 200, headers: {}, body: event }))
        const request = { method, url, body: deep }
        for (const each of isAll ? dialects : [dialect]) each.claims(request)
        expect(dialect.readPrompt(request).tools).toEqual([])
      }
    })

    test('reads any body without throwing', () => {
      const bodies: fc.Arbitrary<Body> = fc.oneof(
        fc.constant<Body>({ kind: 'empty' }),
        hostile.map((value): Body => ({ kind: 'json', value, layout: {} })),
        fc.string().map((text): Body => ({ kind: 'text', text })),
        fc.uint8Array().map((bytes): Body => ({ kind: 'bytes', bytes })),
        fc.array(hostile).map((values): Body => stream(...data(...values)).body),
      )
      fc.assert(
        fc.property(bodies, fc.constantFrom(200, 204, 400, 502), (any, status) => {
          expectCompletion(dialect.readCompletion({ status, headers: {}, body: any }))
          const request = { method, url, body: any }
          for (const each of dialects) each.claims(request)
          expect(dialect.readPrompt(request).provider).toBe(endpointOf(new URL(url)))
        }),
      )
    })
  },
)

function otherThan(value: JsonValue): JsonValue {
  switch (typeof value) {
    case 'string':
      return `${value}?`
    case 'number':
      return value + 1
    case 'boolean':
      return !value
    default:
      return 7
  }
}

function expectCompletion(completion: Completion): void {
  expect(completion.text).toBeTypeOf('string')
  expect(completion.finishReasons.every((reason) => typeof reason === 'string')).toBe(true)
  expect(completion.toolCalls.every(({ name }) => typeof name === 'string')).toBe(true)
  const figures = Object.values(completion.usage ?? { none: 0 })
  expect(figures.every((tokens) => Number.isFinite(tokens))).toBe(true)
  expect(Object.values(completion)).not.toContain(undefined)
}
