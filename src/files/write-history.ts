import { isRecorded, type Cassette, type Exchange } from '../cassette/format/cassette.ts'
import { OLDER_VERSION } from '../cassette/format/patterns.ts'
import { hashOfText } from '../cassette/format/written-hash.ts'
import { readSteps, type RecordedStep } from '../conversation/threads/step.ts'
import { Params } from '../engine/params.ts'
import { jsonOf } from '../wire/body.ts'
import { dialectOf } from '../dialects/index.ts'
import { isWordless, textAsked } from '../engine/rare/hand-written.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** A history file: what was asked and answered, in words alone. */
export interface History {
  version: string
  conversation_id: string
  timestamp: string
  exchanges: HistoryExchange[]
}

export interface HistoryExchange {
  id: string
  prompt: { text: string; hash: string; metadata: JsonObject }
  response: JsonObject
}

/** Finish reasons that say no more than that an answer has calls, or is whole. */
const USUAL = new Set([
  'stop',
  'end_turn',
  'tool_calls',
  'tool_use',
  'completed',
  'COMPLETE',
  'STOP',
])

/**
 * A cassette as a history file: every text as it is, and the hash of what the user said last. What is answered with no
 * words, such as an embedding, has no place in it; `left` names it.
 */
export function historyOf(cassette: Cassette): { history: History; left: string[] } {
  const { conversationId, timestamp } = cassette
  const steps = readSteps(cassette)
  const left = steps.filter((step) => !canBeSaid(step)).map(({ id }) => id)
  const params = new Params(cassette.params)
  const exchanges = steps.filter(canBeSaid).map((step) => exchangeOf(step, params))
  return {
    history: { version: OLDER_VERSION, conversation_id: conversationId, timestamp, exchanges },
    left,
  }
}

/** Whether words are all that an answer consists of. */
function canBeSaid({ exchange, prompt, completion, wire }: RecordedStep): boolean {
  if (isWordless(prompt.operation)) return false
  if (!wire) return true
  if (textAsked(prompt) === undefined) return false
  if (wire.request.method === 'SEND' || !dialectOf(wire.request).writeCompletion) return false
  const { text, toolCalls, reasoning, error } = completion
  const saysNothing = text === '' && toolCalls.length === 0 && !reasoning && error === undefined
  return !saysNothing || !isRecorded(exchange) || completion.finishReasons.length > 0
}

function exchangeOf(step: RecordedStep, params: Params): HistoryExchange {
  const { id, exchange, prompt, completion } = step
  const { timestamps: _, context: __, ...metadata } = exchange.prompt.metadata
  const asked = { text: (exchange.wire && textAsked(prompt)) ?? exchange.prompt.text, metadata }
  const response = responseOf(exchange, completion.finishReasons)
  const said = withValues({ prompt: asked, response }, params) as unknown as HistoryExchange
  const { text, metadata: given } = said.prompt
  const hash = hashOfText(text)
  return { id, prompt: { text, hash, metadata: given }, response: said.response }
}

/** The format knows no parameters: their examples stand in their places. */
function withValues(value: JsonValue, params: Params): JsonValue {
  if (params.none) return value
  const body = { kind: 'json' as const, value, layout: {} }
  return jsonOf(params.show({ status: 200, headers: {}, body }).body)!
}

/** What the format names, and beside it only what makes an answer another one. */
function responseOf(exchange: Exchange, finishReasons: readonly string[]): JsonObject {
  const { text, reasoning, tool_calls: calls, error, incomplete } = exchange.response
  const status = isRecorded(exchange) ? exchange.wire.response.status : statusOf(exchange)
  const isUsual = finishReasons.every((reason) => USUAL.has(reason))
  const fields: { [name: string]: JsonValue | undefined } = {
    text,
    tool_calls: calls as JsonValue | undefined,
    reasoning,
    finish_reasons: isUsual ? undefined : [...finishReasons],
    error,
    status: status !== undefined && status >= 400 ? status : undefined,
    incomplete: incomplete || undefined,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as JsonObject
}

function statusOf({ response }: Exchange): number | undefined {
  return 'status' in response ? response.status : undefined
}
