import {
  isRecorded,
  type Cassette,
  type Exchange,
  type WrittenExchange,
  type WrittenResponse,
} from '../../cassette/cassette.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { canBeWritten } from '../../features/hand-written.ts'
import { isWordless } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { dialectFor, promptFor } from '../../engine/read-prompt.ts'
import { isStream } from '../../recording/fold-answer.ts'
import { answerWith } from './answer-with.ts'
import { mutateCalls } from './mutate-calls.ts'
import { mutateText } from './mutate-text.ts'
import type { Changed, Mutant } from './mutant.ts'

/** The finish reason of each wire format for an answer that was too long. */
const TOO_LONG: Readonly<Record<string, string>> = {
  'openai-chat': 'length',
  'openai-completions': 'length',
  'openai-responses': 'max_output_tokens',
  'anthropic-messages': 'max_tokens',
  'gemini-generate': 'MAX_TOKENS',
  'bedrock-converse': 'max_tokens',
  'cohere-chat': 'MAX_TOKENS',
  'ollama-chat': 'length',
  'vercel-gateway': 'length',
}

/** All ways in which the answers of a cassette can be wrong, one at a time. */
export function mutantsOf({ exchanges }: Cassette): Mutant[] {
  return exchanges.filter(canBeMutated).flatMap((exchange) => {
    const response = answerOf(exchange)
    return [...mutateCalls(response), ...mutateText(response), ...mutateEnd(exchange)].map(
      (changed) => ({ exchange: exchange.id, ...changed }),
    )
  })
}

/** A sample of the mutants of a test, in order. The same seed gives the same sample. */
export function sample(mutants: readonly Mutant[], most: number, seed: string): Mutant[] {
  if (mutants.length <= most) return [...mutants]
  const drawn = mutants.toSorted((one, other) => (keyOf(one, seed) < keyOf(other, seed) ? -1 : 1))
  const chosen = new Set(drawn.slice(0, most))
  return mutants.filter((mutant) => chosen.has(mutant))
}

function keyOf({ exchange, what }: Mutant, seed: string): string {
  return sha256(`${seed}\n${exchange}\n${what}`)
}

/** Whether an answer has content, in a format that this package can write. */
export function canBeMutated(exchange: Exchange): boolean {
  if (exchange.response.error !== undefined || exchange.response.incomplete) return false
  if (!exchange.wire) return true
  const incoming = readIncoming(exchange.wire.request)
  return canBeWritten(incoming) && !isWordless(promptFor(incoming).operation)
}

/** A cassette in which one exchange has another answer. */
export function withMutant(cassette: Cassette, { exchange, response }: Mutant): Cassette {
  return rewrite(cassette, (one) => (one.id === exchange ? response : undefined))
}

/** A cassette with the same answers, written anew. A test that fails for this does not fail for a mutant. */
export function rewritten(cassette: Cassette, isMeant: (id: string) => boolean): Cassette {
  return rewrite(cassette, (one) =>
    isMeant(one.id) && canBeMutated(one) ? answerOf(one) : undefined,
  )
}

function rewrite(
  cassette: Cassette,
  answer: (exchange: Exchange) => WrittenResponse | undefined,
): Cassette {
  const exchanges = cassette.exchanges.map((exchange): Exchange => {
    const response = answer(exchange)
    if (!response) return exchange
    const { id, prompt, wire } = exchange
    const sent = isRecorded(exchange) && answerWith(exchange, answerOf(exchange), response)
    if (sent)
      return { ...exchange, response, wire: { request: exchange.wire.request, response: sent } }
    const written: WrittenExchange = { id, prompt, response }
    return wire ? { ...written, wire: { request: wire.request } } : written
  })
  return { ...cassette, exchanges }
}

/** The content of an answer, without times and tool results. */
function answerOf({ response }: Exchange): WrittenResponse {
  const { duration_ms: _, tool_calls: calls, ...said } = response
  const { kept: __, ...plain } = said as typeof said & { kept?: true }
  if (!calls) return plain
  const named = calls.map(({ tool_name, parameters }) => ({ tool_name, parameters }))
  return { ...plain, tool_calls: named }
}

function mutateEnd(exchange: Exchange): Changed[] {
  if (!exchange.wire) return []
  const changed: Changed[] = []
  const response = answerOf(exchange)
  const reason = TOO_LONG[dialectFor(readIncoming(exchange.wire.request)).name]
  if (reason !== undefined)
    changed.push({
      what: `it ends by its length (${reason})`,
      response: { ...response, finish_reasons: [reason] },
    })
  if (isRecorded(exchange) && isStream(exchange.wire.response.body)) {
    const { finish_reasons: _, usage: __, ...open } = response
    const text = open.text.slice(0, Math.ceil(open.text.length / 2))
    changed.push({ what: 'its stream is cut', response: { ...open, text, incomplete: true } })
  }
  return changed
}
