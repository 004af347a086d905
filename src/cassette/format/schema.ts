import * as z from 'zod/mini'
import { PARAM_NAME } from '../../config/check-params.ts'
import { HEADER_VALUE } from '../../wire/headers.ts'
import { ASKING_HEADER } from '../../providers/asking-headers.ts'
import {
  answersSomething,
  EXCHANGE_ID,
  FILE_VERSION,
  HASHES,
  hasOneBody,
  isBodyless,
  METHOD,
  saysSomething,
  SEAL,
} from '../patterns.ts'

// The members of docs/format.md and docs/format-values.md, in their order.

const json = z.unknown()
const count = z.optional(z.number().check(z.nonnegative()))

/** A text that people read: a string, or strings that are joined. */
const text = z.union([z.string(), z.array(z.string())])

const metadata = z.record(z.string(), json)

const status = z.optional(z.int().check(z.minimum(400), z.maximum(599)))

const readable = {
  reasoning: z.optional(text),
  tool_calls: z.optional(
    z.array(
      z.strictObject({
        tool_name: z.string(),
        parameters: z.optional(json),
        result: z.optional(json),
      }),
    ),
  ),
  finish_reasons: z.optional(z.array(z.string())),
  usage: z.optional(
    z.strictObject({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      reasoning_output_tokens: count,
    }),
  ),
  error: z.optional(z.string()),
  status,
  incomplete: z.optional(z.literal(true)),
  kept: z.optional(z.literal(true)),
  mocked: z.optional(z.literal(true)),
  duration_ms: count,
}

const spelling = {
  layout: z.optional(
    z.strictObject({
      indent: z.optional(z.int().check(z.minimum(1), z.maximum(8))),
      spaced: z.optional(z.literal(true)),
      ascii: z.optional(z.literal(true)),
      end: z.optional(z.string().check(z.regex(/^[ \t\r\n]{1,1000}$/))),
    }),
  ),
  eol: z.optional(z.enum(['\n', '\r\n'])),
}

const bodies = {
  body: z.optional(json),
  text: z.optional(text),
  base64: z.optional(text),
  file: z.optional(z.string()),
  lines: z.optional(z.array(json)),
  frames: z.optional(z.array(json)),
}

const request = z
  .strictObject({
    method: z.string().check(z.regex(METHOD)),
    /** A text, or a marker that gives one. */
    url: json,
    /** No other header of a request is ever stored. */
    headers: z.optional(
      z.record(z.string().check(z.regex(ASKING_HEADER)), z.string().check(z.regex(HEADER_VALUE))),
    ),
    after: z.optional(z.string().check(z.regex(EXCHANGE_ID))),
    imported: z.optional(
      z.strictObject({
        from: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
        unknown: z.optional(z.array(z.enum(['method', 'host', 'path', 'headers', 'body']))),
        kind: z.optional(z.enum(['json', 'form'])),
        respelled: z.optional(z.literal(true)),
        redacted: z.optional(z.array(z.string().check(z.minLength(3)))),
      }),
    ),
    ...spelling,
    as_sent: z.optional(z.string()),
    ...bodies,
    form: z.optional(z.array(json)),
  })
  .check(z.refine(hasOneBody, 'a request has one body'))

const header = z.string().check(z.regex(HEADER_VALUE))

const sent = z
  .strictObject({
    status: z.int().check(z.minimum(200), z.maximum(599)),
    headers: z.record(
      z.string().check(z.regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/)),
      z.union([header, z.array(header)]),
    ),
    renewed: z.optional(z.array(json)),
    ...spelling,
    named: z.optional(z.literal(true)),
    ...bodies,
    events: z.optional(z.array(json)),
    cut: z.optional(z.literal(true)),
    /** When the client gave up: before the headers, or after this number of chunks. */
    aborted: z.optional(z.union([z.literal('before-headers'), z.int().check(z.minimum(0))])),
  })
  .check(
    z.refine(hasOneBody, 'a response has one body'),
    z.refine(isBodyless, 'a response of this status has no body'),
  )

const group = {
  sample: z.optional(z.int().check(z.minimum(2))),
  part: z.optional(z.string().check(z.minLength(1))),
}

const recorded = z.strictObject({
  id: z.optional(z.string().check(z.regex(EXCHANGE_ID))),
  ...group,
  prompt: z.strictObject({ text, hash: z.optional(z.string()), metadata: z.optional(metadata) }),
  request,
  response: z
    .strictObject({ text: z.optional(text), ...readable, sent: z.optional(sent) })
    .check(z.refine(answersSomething, { error: 'a response has a text, tool_calls or an error' })),
})

/** An exchange that a person writes, with as few members as possible. */
const written = z.strictObject({
  id: z.optional(z.string().check(z.regex(EXCHANGE_ID))),
  ...group,
  prompt: z.strictObject({ text, hash: z.optional(z.string()), metadata: z.optional(metadata) }),
  request: z.optional(z.never()),
  response: z
    .strictObject({ text: z.optional(text), ...readable })
    .check(z.refine(saysSomething, { error: 'a response has a text, tool_calls or an error' })),
})

const params = z.optional(
  z.record(z.string().check(z.regex(PARAM_NAME)), z.union([z.string(), z.number()])),
)

/** A cassette file. */
export const cassetteSchema = z.strictObject({
  $schema: z.optional(z.string()),
  version: z.string().check(z.regex(FILE_VERSION)),
  conversation_id: z.string(),
  params,
  proposed_params: params,
  invalid: z.optional(
    z.strictObject({ reason: z.string().check(z.minLength(1)), since: z.iso.datetime() }),
  ),
  exchanges: z.array(z.union([recorded, written])),
  timestamp: z.iso.datetime(),
  oldest_answer: z.optional(z.iso.datetime()),
  rules: z.optional(z.array(z.union([z.int(), z.string()]))),
  hashes: z.optional(z.array(z.string().check(z.regex(HASHES)))),
  seal: z.optional(z.string().check(z.regex(SEAL))),
})
