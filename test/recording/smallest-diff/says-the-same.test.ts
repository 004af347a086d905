import { dialectFor } from '../../../src/engine/read-prompt.ts'
import { describe, expect, test } from 'vitest'
import { dialectOf, responsePlaces, roleAt } from '../../../src/providers/dialects.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { isJsonObject, isRawNumber, type JsonValue } from '../../../src/json/json-value.ts'
import { mapBody } from '../../../src/wire/replace-texts.ts'
import type { ResponseRole } from '../../../src/providers/dialect.ts'
import {
  saysTheSame,
  type AnsweredRequest,
} from '../../../src/recording/smallest-diff/says-the-same.ts'
import { readBody, readRequestBody } from '../../../src/wire/read-body.ts'
import type { WireResponse } from '../../../src/wire/message.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../../corpus.ts'

type At = ReadonlyArray<string | number>

/** A leaf of an answer, and what it is for its dialect. */
interface Leaf {
  number: number
  at: At
  value: JsonValue
  kind: ResponseRole | undefined
}

const MAX_LEAVES = 60

function read(exchange: CorpusExchange): AnsweredRequest | undefined {
  if (exchange.response_body === null) return undefined
  const body = readRequestBody(bytesOf(exchange.request_body, exchange.request_body_encoding), '')
  const request = { method: exchange.method, url: addressOf(exchange), body }
  if (dialectOf(request).name === 'generic') return undefined
  const type = exchange.response_headers?.['content-type'] ?? ''
  const bytes = bytesOf(exchange.response_body, exchange.response_body_encoding)
  const headers = { 'content-type': type }
  const response = { status: exchange.status, headers, body: readBody(bytes, type) }
  return { incoming: readIncoming(request), response }
}

/** An answer whose leaves are given anew. */
function withLeaves(
  { incoming, response }: AnsweredRequest,
  change: (leaf: Leaf) => JsonValue,
): AnsweredRequest {
  const places = responsePlaces(dialectFor(incoming).name)
  let number = 0
  const walk = (value: JsonValue, at: At, above?: ResponseRole): JsonValue => {
    const own = at.length > 0 ? roleAt(places, at) : undefined
    const kind = own ?? above
    if (Array.isArray(value))
      return value.map((item, index) => walk(item, [...at, index], inherited(kind)))
    if (isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, child]) => [
          key,
          walk(child, [...at, key], inherited(kind)),
        ]),
      )
    return change({ number: number++, at, value, kind })
  }
  const body = mapBody(response.body, (value) => walk(value, []))
  return { incoming, response: { ...response, body } }
}

/** What holds for a place and all that is below it. */
function inherited(kind: ResponseRole | undefined): ResponseRole | undefined {
  return kind === 'ignored' ||
    kind === 'usage' ||
    kind === 'running-total' ||
    kind === 'repeats-request'
    ? kind
    : undefined
}

function leavesOf(one: AnsweredRequest): Leaf[] {
  const leaves: Leaf[] = []
  withLeaves(one, (leaf) => {
    leaves.push(leaf)
    return leaf.value
  })
  return leaves
}

function another(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value === '' ? 'x' : `${value} another`
  if (typeof value === 'number') return value + 1
  if (isRawNumber(value)) return 7
  return value === true ? false : value === false ? true : 'something'
}

/** Some of many, spread over all of them. */
function some<T>(all: T[], most: number): T[] {
  const step = Math.max(1, all.length / most)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

eachCorpus((corpus) => {
  const answered = corpus.flatMap((exchange) => read(exchange) ?? [])

  /** One of each dialect, shape and status, all of which would take minutes. */
  const chosen = [
    ...new Map(
      answered.map((one, index) => {
        const { incoming, response } = one
        const kept = [
          dialectFor(incoming).name,
          response.body.kind,
          response.status < 300,
          index % 3,
        ]
        return [kept.join(), one]
      }),
    ).values(),
  ].filter((one) => leavesOf(one).length < 4_000)

  const byDialect = Map.groupBy(chosen, ({ incoming }) => dialectFor(incoming).name)

  describe.for([...byDialect])('%s', ([, answers]) => {
    test('an answer says the same as itself, with all renewed that is renewed', () => {
      for (const one of answers) {
        const renewed = withLeaves(one, ({ value, kind }) => {
          if ((kind === 'ignored' || kind === 'usage') && value !== null) return another(value)
          const isName =
            (kind === 'renewed' || kind === 'renewed-in-pieces') && typeof value === 'string'
          return isName && value !== '' ? `renewed-${value}` : value
        })
        expect(saysTheSame(one, renewed, true)).toBe(true)
      }
    })

    test('an answer in which any other leaf is another says something else', () => {
      const missed: string[] = []
      for (const one of answers) {
        const counted = leavesOf(one).filter(
          ({ at, kind, value }) =>
            kind === undefined &&
            value !== 'ping' &&
            value !== 'keepalive' &&
            // Whether the last piece of a text ends a stream, or an empty one behind it.
            at.join() !== 'done',
        )
        for (const { number, at, value } of some(counted, MAX_LEAVES)) {
          const changed = withLeaves(one, (leaf) =>
            leaf.number === number ? another(value) : leaf.value,
          )
          if (saysTheSame(one, changed, true) || saysTheSame(one, changed, false))
            missed.push(`${at.join('.')}: ${JSON.stringify(value)}`)
        }
      }
      expect(missed).toEqual([])
    })

    test('an answer with another status, another header or another end says something else', () => {
      for (const one of answers) {
        const differ = (change: Partial<WireResponse>): boolean =>
          !saysTheSame(one, { ...one, response: { ...one.response, ...change } }, false)
        expect(differ({ status: 299 })).toBe(true)
        expect(differ({ headers: { ...one.response.headers, 'retry-after': '7' } })).toBe(true)
        expect(differ({ cut: true })).toBe(true)
      }
    })
  })

  test('of two that ask the same and are answered the same, real answers differ in nothing but names and figures', () => {
    const texts = new Map<string, AnsweredRequest>()
    let pairs = 0
    for (const one of answered) {
      const { hash } = one.incoming
      const dialect = dialectFor(one.incoming)
      const before = texts.get(hash)
      texts.set(hash, one)
      if (!before) continue
      const [was, is] = [before, one].map(({ response }) => dialect.readCompletion(response))
      const calls = [was!, is!].map((read) =>
        JSON.stringify(read.toolCalls.map(({ name, arguments: given }) => [name, given])),
      )
      if (saysTheSame(before, one, true)) {
        pairs++
        expect([is!.text, calls[1], is!.finishReasons]).toEqual([
          was!.text,
          calls[0],
          was!.finishReasons,
        ])
      }
    }
    console.log(`${pairs} pairs of answers in the corpus say the same`)
    expect(pairs).toBeGreaterThan(5)
  })
})
