import { isLayout } from '../../json/layout.ts'
import { isJsonObject, parseJson } from '../../json/json-value.ts'
import {
  anything,
  count,
  flag,
  integer,
  list,
  matching,
  maybe,
  object,
  oneOf,
  text,
  type Shape,
} from '../../json/shape.ts'
import { ASKING_HEADERS } from '../../wire/asking-headers.ts'
import { KEPT_HEADERS } from '../../wire/message.ts'
import type { StoredCassette } from './format.ts'
import {
  ANSWER_HASH,
  FILE_HASH,
  HASH,
  HEADER_VALUE,
  METHOD,
  VERSION,
  WITHOUT_BODY,
} from './patterns.ts'

const words: Shape = (value) => text(value) || spread(value)
const spread = object({ $text: list(text) })
const date: Shape = (value) =>
  matching(/^\d{4}-/)(value) && new Date(String(value)).toJSON() === value
const url: Shape = (value) => matching(/^https?:\/\//)(value) && URL.canParse(String(value))

const spelling = { layout: maybe(isLayout), eol: maybe(oneOf('\n', '\r\n')) }

const status: Shape = (value) => integer(200, 599)(value) && !WITHOUT_BODY.includes(Number(value))
const headersOf = (names: readonly string[]): Shape =>
  object(Object.fromEntries(names.map((name) => [name, maybe(matching(HEADER_VALUE))])))

const hashOfEach = object({ prompt: matching(HASH), answer: maybe(matching(ANSWER_HASH)) })
const hashes: Shape = (value) =>
  isJsonObject(value ?? null) && Object.values(value as object).every((one) => hashOfEach(one))

const exchange = object({
  id: text,
  prompt: object({ text: words, hash: maybe(matching(HASH)), metadata: isJsonObject as Shape }),
  response: object({
    text: words,
    reasoning: maybe(words),
    tool_calls: maybe(
      list(object({ tool_name: text, parameters: anything, result: maybe(anything) })),
    ),
    finish_reasons: maybe(list(text)),
    usage: maybe(
      object({
        input_tokens: maybe(count),
        output_tokens: maybe(count),
        cache_read_input_tokens: maybe(count),
        cache_creation_input_tokens: maybe(count),
        reasoning_output_tokens: maybe(count),
      }),
    ),
    error: maybe(text),
    incomplete: maybe(flag),
    duration_ms: maybe(count),
    kept: maybe(oneOf(true)),
  }),
  wire: object({
    request: object({
      method: matching(METHOD),
      url,
      headers: maybe(headersOf(ASKING_HEADERS)),
      older: maybe(oneOf(true)),
      ...spelling,
      body: maybe(anything),
    }),
    response: object({
      status,
      headers: headersOf(KEPT_HEADERS),
      hash: maybe(matching(ANSWER_HASH)),
      ...spelling,
      body: maybe(anything),
      cut: maybe(flag),
    }),
  }),
})

const cassette = object({
  $schema: maybe(text),
  version: matching(VERSION),
  conversation_id: text,
  timestamp: date,
  oldest_answer: maybe(date),
  file_hash: maybe(matching(FILE_HASH)),
  hashes: maybe(hashes),
  exchanges: list(exchange),
})

/**
 * Recognises the text of a cassette as most are that were recorded: without loading the schema, which would take
 * longer than the rest of a replay. What it does not know is for the schema to judge: `undefined`.
 */
export function recognizeCassette(text: string): StoredCassette | undefined {
  try {
    const value = parseJson(text)
    return cassette(value) ? (value as unknown as StoredCassette) : undefined
  } catch {
    return undefined
  }
}
