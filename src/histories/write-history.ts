import { isRecorded, type Cassette, type Exchange } from '../cassette/cassette.ts'
import { WRITTEN_VERSION } from '../cassette/patterns.ts'
import { hashOfText } from '../cassette/written.ts'
import { isContext } from '../conversation/context.ts'
import { questionOf, readSteps, type RecordedStep } from '../conversation/step.ts'
import { Params } from '../conversation/params.ts'
import { jsonOf } from '../wire/body.ts'
import { dialectOf } from '../providers/dialects.ts'
import { jsonObject } from '../providers/fields.ts'
import { isWordless } from '../prompt/prompt.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** A history file: prompts and answers as text only. */
export interface History {
  version: string
  conversation_id: string
  timestamp: string
  exchanges: HistoryExchange[]
}

interface HistoryExchange {
  id: string
  prompt: { text: string; hash: string; metadata: JsonObject }
  response: JsonObject
}

/** Finish reasons of a complete answer, or of one with tool calls; they are not written. */
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
 * Converts a cassette to a history file, with every text as it is and the hash of the last text of the user. `left`
 * names the exchanges that the format cannot hold, such as embeddings.
 */
export function historyOf(cassette: Cassette): { history: History; left: string[] } {
  const { conversationId, timestamp } = cassette
  const steps = readSteps(cassette)
  const left = steps.filter((step) => !canBeSaid(step)).map(({ id }) => id)
  const params = new Params(cassette.params)
  const exchanges = steps.filter(canBeSaid).map((step) => exchangeOf(step, params))
  return {
    history: { version: WRITTEN_VERSION, conversation_id: conversationId, timestamp, exchanges },
    left,
  }
}

/** Whether a history file can hold an exchange as text. */
function canBeSaid({ exchange, prompt, completion, wire }: RecordedStep): boolean {
  if (isWordless(prompt.operation)) return false
  if (!wire) return true
  if (questionOf(prompt) === undefined) return false
  if (wire.request.method === 'SEND' || !dialectOf(wire.request).writeCompletion) return false
  const { text, toolCalls, reasoning, error } = completion
  const saysNothing = text === '' && toolCalls.length === 0 && !reasoning && error === undefined
  return !saysNothing || !isRecorded(exchange) || completion.finishReasons.length > 0
}

function exchangeOf(step: RecordedStep, params: Params): HistoryExchange {
  const { id, exchange, prompt, completion } = step
  const { timestamps: _, context, ...others } = exchange.prompt.metadata
  const metadata = context === undefined || isContext(context) ? others : { ...others, context }
  const asked = { text: (exchange.wire && questionOf(prompt)) ?? exchange.prompt.text, metadata }
  const response = responseOf(exchange, completion.finishReasons)
  const said = withValues({ prompt: asked, response }, params) as unknown as HistoryExchange
  const { text, metadata: given } = said.prompt
  const hash = hashOfText(text)
  return { id, prompt: { text, hash, metadata: given }, response: said.response }
}

/** Replaces parameters by their recorded values, because the format has no parameters. */
function withValues(value: JsonValue, params: Params): JsonValue {
  if (params.none) return value
  const body = { kind: 'json' as const, value, layout: {} }
  return jsonOf(params.show({ status: 200, headers: {}, body }).body)!
}

/** The fields of the format, and others only where they make a difference to the answer. */
function responseOf(exchange: Exchange, finishReasons: readonly string[]): JsonObject {
  const { text, reasoning, tool_calls: calls, error, incomplete } = exchange.response
  const status = isRecorded(exchange) ? exchange.wire.response.status : statusOf(exchange)
  const isUsual = finishReasons.every((reason) => USUAL.has(reason))
  return jsonObject({
    text,
    tool_calls: calls as JsonValue | undefined,
    reasoning,
    finish_reasons: isUsual ? undefined : [...finishReasons],
    error,
    status: status !== undefined && status >= 400 ? status : undefined,
    incomplete: incomplete || undefined,
  })
}

function statusOf({ response }: Exchange): number | undefined {
  return 'status' in response ? response.status : undefined
}
