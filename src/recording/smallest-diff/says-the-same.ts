import stableStringify from 'fast-json-stable-stringify'
import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { remember, rememberFor } from '../../remember.ts'
import type { WireResponse } from '../../wire/message.ts'
import { foldAnswer, type FoldedAnswer } from '../fold-answer.ts'

/** A request and its answer. */
export interface AnsweredRequest {
  incoming: Incoming
  response: WireResponse
}

/** Two texts by which answers are compared. */
interface Saying {
  /** Equal where the answers are equal, including the parts that they repeat of their requests. */
  whole: string
  /** Equal where the answers are equal, except for the parts that they repeat of their requests. */
  itself: string
}

const foldedAs = remember((dialect) =>
  rememberFor((response: WireResponse) => foldAnswer(response, dialect)),
)

/** An answer without the values that its provider renews; computed once. */
export function foldedAnswer({ incoming, response }: AnsweredRequest): FoldedAnswer {
  return foldedAs(dialectFor(incoming).name)(response)
}

/**
 * The content of an answer: as its dialect reads it, and as it was sent, without the values that its provider generates
 * anew. It decides what is written when a recording is made again, never what is replayed. Computed once, since each
 * changed prompt is compared with all answers.
 */
export const sayingOf: (answered: AnsweredRequest) => Saying = rememberFor((answered) => {
  const dialect = dialectFor(answered.incoming)
  const { said, saidItself } = foldedAnswer(answered)
  const read = stableStringify([dialect.name, readOf(dialect.readCompletion(answered.response))])
  return { whole: `${read}\n${said}`, itself: `${read}\n${saidItself}` }
})

/** Whether two answers say the same. Answers to different prompts may repeat different parts of their requests. */
export function saysTheSame(
  one: AnsweredRequest,
  other: AnsweredRequest,
  samePrompt: boolean,
): boolean {
  const [first, second] = [sayingOf(one), sayingOf(other)]
  return samePrompt ? first.whole === second.whole : first.itself === second.itself
}

/** A completion without the ids of its calls, and without the tokens of the prompt. */
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
