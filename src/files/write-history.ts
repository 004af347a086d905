import { isRecorded, type Cassette, type Exchange } from '../cassette/format/cassette.ts'
import { OLDER_VERSION } from '../cassette/format/patterns.ts'
import { hashOfText } from '../cassette/format/written-hash.ts'
import { readSteps, type RecordedStep } from '../conversation/threads/step.ts'
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
  const isSaid = (step: RecordedStep): boolean => canBeSaid(step)
  const left = steps.filter((step) => !isSaid(step)).map(({ id }) => id)
  const exchanges = steps.filter(isSaid).map(exchangeOf)
  return {
    history: { version: OLDER_VERSION, conversation_id: conversationId, timestamp, exchanges },
    left,
  }
}

/** Whether words are all that an answer consists of. */
function canBeSaid({ exchange, prompt, completion, wire }: RecordedStep): boolean {
  if (isWordless(prompt.operation)) return false
  if (!wire) return true
  if (wire.request.method === 'SEND' || !dialectOf(wire.request).writeCompletion) return false
  const { text, toolCalls, reasoning, error } = completion
  const saysNothing = text === '' && toolCalls.length === 0 && !reasoning && error === undefined
  return !saysNothing || !isRecorded(exchange) || completion.finishReasons.length > 0
}

function exchangeOf({ id, exchange, prompt, completion }: RecordedStep): HistoryExchange {
  const text = (exchange.wire && textAsked(prompt)) ?? exchange.prompt.text
  const { timestamps: _, context: __, ...metadata } = exchange.prompt.metadata
  return {
    id,
    prompt: { text, hash: hashOfText(text), metadata },
    response: responseOf(exchange, completion.finishReasons),
  }
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
