import * as z from 'zod/mini'
import { PARAM_NAME } from '../../config/check-params.ts'
import { ASKING_HEADER } from '../../providers/asking-headers.ts'
import { MAX_INDENT, MAX_SPACE } from '../../json/layout.ts'
import { KEPT_HEADERS } from '../../wire/headers.ts'
import {
  ANSWER_HASH,
  FILE_HASH,
  hasBodyOnlyWhereItMay,
  HASH,
  HEADER_VALUE,
  METHOD,
  saysSomething,
  VERSION,
} from '../patterns.ts'

const json = z.unknown()
const count = z.optional(z.number().check(z.nonnegative()))

const hash = z.string().check(z.regex(HASH))

const answerHash = z.string().check(z.regex(ANSWER_HASH))

const usage = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  reasoning_output_tokens: count,
})

/** A text, or its pieces: one for each line. */
const text = z.union([z.string(), z.strictObject({ $text: z.array(z.string()) })])

const metadata = z.record(z.string(), json)

const said = {
  reasoning: z.optional(text),
  tool_calls: z.optional(
    z.array(z.strictObject({ tool_name: z.string(), parameters: json, result: z.optional(json) })),
  ),
  finish_reasons: z.optional(z.array(z.string())),
  usage: z.optional(usage),
  error: z.optional(z.string()),
  incomplete: z.optional(z.boolean()),
  duration_ms: count,
}

/** The spelling of JSON that is not compact: see `JsonLayout`. */
export const jsonLayout = z.strictObject({
  indent: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_INDENT))),
  spacedItems: z.optional(z.boolean()),
  spacedKeys: z.optional(z.boolean()),
  ascii: z.optional(z.boolean()),
  pad: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_SPACE))),
  end: z.optional(z.string().check(z.regex(/^[ \t\r\n]{1,1000}$/))),
})

/** The spelling of a body that differs from the compact JSON of `JSON.stringify`. */
const spelling = {
  layout: z.optional(jsonLayout),
  /** The line ending of a stream, where that is not `\n`. */
  eol: z.optional(z.enum(['\n', '\r\n'])),
}

const imported = z.strictObject({
  from: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
  unknown: z.optional(z.array(z.enum(['method', 'host', 'path', 'headers', 'body']))),
  kind: z.optional(z.enum(['json', 'form'])),
  respelled: z.optional(z.literal(true)),
  /** A shorter text would stand for any in many places. */
  redacted: z.optional(z.array(z.string().check(z.minLength(3)))),
})

const wireRequest = z.strictObject({
  method: z.string().check(z.regex(METHOD)),
  url: z.url({ protocol: /^(https?|wss?|mcp)$/ }),
  /** No other header of a request is ever stored. */
  headers: z.optional(
    z.record(z.string().check(z.regex(ASKING_HEADER)), z.string().check(z.regex(HEADER_VALUE))),
  ),
  /** Another tool recorded it, and its file does not tell all that is compared: see `Imported`. */
  imported: z.optional(imported),
  /** The exchange before this one on the same socket. */
  after: z.optional(z.string()),
  ...spelling,
  body: z.optional(json),
})

const wireResponse = z
  .strictObject({
    status: z.int().check(z.minimum(200), z.maximum(599)),
    /** No other header is stored; a cassette of unknown origin could set cookies. */
    headers: z.partialRecord(z.enum(KEPT_HEADERS), z.string().check(z.regex(HEADER_VALUE))),
    /** The hash of all that a replay sends; `verify` detects an edited answer by it. */
    hash: z.optional(answerHash),
    ...spelling,
    body: z.optional(json),
    cut: z.optional(z.boolean()),
    /** When the client gave up: before the headers, or after this number of events. */
    aborted: z.optional(z.union([z.literal('before-headers'), z.int().check(z.minimum(0))])),
  })
  .check(z.refine(hasBodyOnlyWhereItMay, 'an answer of this status has no body'))

const recordedExchange = z.strictObject({
  id: z.string(),
  prompt: z.strictObject({ text, hash: z.optional(hash), metadata }),
  response: z.strictObject({
    text,
    ...said,
    /** The answer belongs to an earlier prompt, and was kept when the prompt changed. */
    kept: z.optional(z.literal(true)),
    /** A mock of the application gave the answer, in the place of the provider. */
    mocked: z.optional(z.literal(true)),
    /** The status of an error that was written in the place of a recorded answer. */
    status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
  }),
  wire: z.strictObject({ request: wireRequest, response: z.optional(wireResponse) }),
})

/** An exchange that a person writes, with as few fields as possible. */
const writtenExchange = z.strictObject({
  id: z.optional(z.string()),
  wire: z.optional(z.never()),
  prompt: z.strictObject({
    text,
    /** In any spelling; a text that is no hash is ignored. */
    hash: z.optional(z.string()),
    metadata: z.optional(metadata),
  }),
  response: z
    .strictObject({
      text: z.optional(text),
      ...said,
      status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
    })
    .check(z.refine(saysSomething, { error: 'a response has a text, tool_calls or an error' })),
})

const paramValues = z.record(
  z.string().check(z.regex(PARAM_NAME)),
  z.union([z.string(), z.number()]),
)

/** A cassette file: the conversation history format, with a wire half in each recorded exchange. */
export const cassetteSchema = z.strictObject({
  $schema: z.optional(z.string()),
  version: z.string().check(z.regex(VERSION)),
  conversation_id: z.string(),
  timestamp: z.iso.datetime(),
  /** When the oldest answer was recorded, where that is before the cassette last changed. */
  oldest_answer: z.optional(z.iso.datetime()),
  /** The recording is invalid, by `vitest-cassette invalidate`. */
  invalid: z.optional(
    z.strictObject({ reason: z.string().check(z.minLength(1)), since: z.iso.datetime() }),
  ),
  /** The parameters that the exchanges write as `{{name}}`; the values are examples. */
  params: z.optional(paramValues),
  /** Parameters that a model proposed, for review. */
  proposed_params: z.optional(paramValues),
  /** The hash of the rest of the file, without what a person wrote; `verify` detects an edited file by it. */
  file_hash: z.optional(z.string().check(z.regex(FILE_HASH))),
  /** By the id of an exchange: the hash of its prompt, and of all that a replay of its answer sends. */
  hashes: z.optional(
    z.record(z.string(), z.strictObject({ prompt: hash, answer: z.optional(answerHash) })),
  ),
  exchanges: z.array(z.union([recordedExchange, writtenExchange])),
})
