import type { Cassette, Exchange } from '../../cassette/cassette.ts'
import { linkThreads } from '../../conversation/threads.ts'
import { readSteps, type RecordedStep } from '../../conversation/step.ts'
import { contentKey } from '../../diff/change.ts'
import { isFailedAnswer, withoutOvercome } from '../../features/overcome.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { messageKey, toolKey } from '../../diff/message-key.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { readPrompt } from '../../engine/read-prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { jsonKey } from '../../prompt/json-key.ts'
import { defined, jsonObject, unlessEmpty } from '../../providers/fields.ts'

/** An exchange as it is compared: the new messages of its prompt, and its answer. */
export interface ReadExchange {
  /** Counted from 1. */
  number: number
  step: RecordedStep
  exchange: Exchange
  /** The cassette that holds it. */
  cassette: Cassette
  /** With the headers that count. */
  prompt: Prompt
  /** The messages that are new in its thread. */
  fresh: Message[]
  answer: Message
  /** Equal for exchanges with equal new messages, settings and answers. */
  key: string
}

/** The exchanges of a cassette, in order, without the errors that a retry overcame: they are no change. */
export function readLasting(cassette: Cassette): ReadExchange[] {
  const isMcp = ({ wire }: RecordedStep): boolean =>
    wire !== undefined && isMcpAddress(wire.request.url)
  const lasting = withoutOvercome(readSteps(cassette), (step) => ({
    prompt: step.exchange.prompt.hash,
    failed:
      step.wire?.response !== undefined &&
      !isMcp(step) &&
      isFailedAnswer(step.wire.response, () => step.completion.error),
  }))
  return readExchanges(cassette, lasting)
}

export function readExchanges(
  cassette: Cassette,
  steps: RecordedStep[] = readSteps(cassette),
): ReadExchange[] {
  const fresh = new Map<RecordedStep, Message[]>()
  for (const thread of linkThreads(steps))
    for (const linked of thread.steps) fresh.set(linked.step, linked.fresh)
  return steps.map((step) => {
    const { exchange, completion } = step
    const prompt = withHeaders(step)
    const read = { fresh: fresh.get(step)!, answer: answerOf(completion), prompt }
    return {
      number: cassette.exchanges.indexOf(step.exchange) + 1,
      step,
      exchange,
      cassette,
      ...read,
      key: keyOf(read),
    }
  })
}

/** The prompt with the headers that count and that no dialect reads. */
function withHeaders({ prompt, wire }: RecordedStep): Prompt {
  if (!wire?.request.headers) return prompt
  return readPrompt(dialectOf(wire.request), wire.request)
}

function keyOf({ fresh, answer, prompt }: Pick<ReadExchange, 'fresh' | 'answer' | 'prompt'>) {
  const { messages: _, tools, parameters, ...names } = prompt
  return sha256(
    [
      ...fresh.map(messageKey),
      '',
      messageKey(answer),
      ...tools.map(toolKey),
      contentKey({ type: 'value', value: parameters }),
      jsonKey(names as JsonObject),
    ].join('\n'),
  )
}

/** Converts an answer to a message, so that it is compared like one. */
function answerOf({ text, reasoning, toolCalls, finishReasons, ...end }: Completion): Message {
  const parts: Part[] = [
    ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...toolCalls.map((call) => ({ type: 'tool_call', ...call }) as const),
  ]
  const { error, incomplete } = end
  const extra = jsonObject({
    'finish reason': finishReasons.join(', ') || undefined,
    error,
    incomplete: incomplete || undefined,
  })
  return defined({ role: 'assistant', parts, extra: unlessEmpty(extra) })
}
