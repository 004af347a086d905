import stableStringify from 'fast-json-stable-stringify'
import type { Incoming } from '../engine/incoming.ts'
import { dialectFor } from '../engine/reading/read-prompt.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import { remember, rememberFor } from '../remember.ts'
import type { WireResponse } from '../wire/message.ts'
import { foldAnswer, type FoldedAnswer } from './fold-answer.ts'

/** A request and its answer. */
export interface Answered {
  incoming: Incoming
  response: WireResponse
}

/** What tells whether two answers say the same. */
export interface Saying {
  /** Equal where both the answers and what they repeat of their requests are. */
  whole: string
  /** Equal where the answers are, whatever they repeat of their requests. */
  itself: string
}

const foldedAs = remember((dialect) =>
  rememberFor((response: WireResponse) => foldAnswer(response, dialect)),
)

/** An answer without what its provider renews; read once. */
export function folded({ incoming, response }: Answered): FoldedAnswer {
  return foldedAs(dialectFor(incoming).name)(response)
}

/**
 * What an answer says: as its dialect reads it, and as it travelled without what its provider invents anew. It decides
 * what is written when a recording is made again, and never what is replayed. Read once, as each changed prompt looks for its own.
 */
export const sayingOf: (answered: Answered) => Saying = rememberFor((answered) => {
  const dialect = dialectFor(answered.incoming)
  const { said, saidItself } = folded(answered)
  const read = stableStringify([dialect.name, readOf(dialect.readCompletion(answered.response))])
  return { whole: `${read}\n${said}`, itself: `${read}\n${saidItself}` }
})

/** Whether two answers say the same: to prompts that are the same, or to two prompts. */
export function saysTheSame(one: Answered, other: Answered, samePrompt: boolean): boolean {
  const [first, second] = [sayingOf(one), sayingOf(other)]
  return samePrompt ? first.whole === second.whole : first.itself === second.itself
}

/** A completion without the ids of its calls, and without what the prompt took in tokens. */
function readOf({
  text,
  reasoning,
  toolCalls,
  finishReasons,
  incomplete,
  error,
  usage,
}: Completion) {
  return {
    text,
    reasoning,
    finishReasons,
    incomplete,
    error: error === undefined,
    calls: toolCalls.map(({ name, arguments: given }): JsonValue => [name, given]),
    output: [usage?.outputTokens, usage?.reasoningOutputTokens],
  }
}
