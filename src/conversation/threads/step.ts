import { isRecorded, type Cassette, type Exchange } from '../../cassette/format/cassette.ts'
import { dialectOf } from '../../dialects/index.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { contextOf } from '../context/context-content.ts'
import { readableTime } from '../context/iso-time.ts'
import { completionOf, promptOf } from './written.ts'

/** An exchange as its dialect reads it. */
export interface Step {
  /** The id of its exchange. */
  id: string
  prompt: Prompt
  completion: Completion
  /** Absent if a person wrote the exchange; without a response if a person wrote the answer. */
  wire?: { request: WireRequest; response?: WireResponse }
}

/** A step that comes from a cassette. */
export interface RecordedStep extends Step {
  exchange: Exchange
  /** The name of the dialect: `openai-chat`, … or `generic`; absent where a person wrote the exchange. */
  dialect?: string
  /** When the request was made and when its answer had ended, ISO 8601. */
  asked: string
  answered: string
  /** The time of each new message, if the exchange was made from a conversation that has times. */
  times: string[]
}

/**
 * Reads every exchange of a cassette, in order. A cassette keeps one time; the steps count on from it
 * by the recorded durations.
 */
export function readSteps({ timestamp, exchanges }: Cassette): RecordedStep[] {
  let time = Date.parse(timestamp)
  return exchanges.map((exchange, index) => {
    const times = timesOf(exchange)
    const asked = times[0] ?? new Date(time).toISOString()
    time += exchange.response.duration_ms ?? 0
    return {
      id: exchange.id,
      exchange,
      ...readExchange(exchange, exchanges[index - 1]),
      asked,
      answered: times.at(-1) ?? new Date(time).toISOString(),
      times,
    }
  })
}

/**
 * Reads the prompt and the answer of an exchange.
 *
 * @param before the exchange that stands before it in the cassette
 */
export function readExchange(
  exchange: Exchange,
  before: Exchange | undefined,
): Omit<Step, 'id'> & Pick<RecordedStep, 'dialect'> {
  const { wire, response } = exchange
  if (!wire) return { prompt: promptOf(exchange, before), completion: completionOf(response) }
  const dialect = dialectOf(wire.request)
  const completion = isRecorded(exchange)
    ? dialect.readCompletion(exchange.wire.response)
    : completionOf(response)
  return { dialect: dialect.name, wire, prompt: dialect.readPrompt(wire.request), completion }
}

function timesOf(exchange: Exchange): string[] {
  const context = contextOf(exchange)
  if (context) {
    const entries = [...context.before, context.answer]
    return entries.map(({ timestamp }) => readableTime(timestamp))
  }
  const { timestamps } = exchange.prompt.metadata
  if (!Array.isArray(timestamps)) return []
  return timestamps.filter((time) => typeof time === 'string')
}
