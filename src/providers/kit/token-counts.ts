import type { WireRequest } from '../../wire/message.ts'
import type { Dialect } from '../dialect.ts'
import { counted, jsonObject, numberOf } from '../fields.ts'
import { readAnswer } from './read-answer.ts'
import { writeAnswer, type WriteFailure } from './write-answer.ts'

const COUNTED = /^(\d+) tokens$/

/** A format that counts the tokens of a prompt, which no model answers. */
interface Counting extends Pick<Dialect, 'name' | 'claims' | 'readPrompt'> {
  /** The field with the tokens. */
  tokens: string
  /** The field with those of them that are cached. */
  cached?: string
  /** The field `object` of an answer. */
  object?(request: WireRequest): string | undefined
  writeFailure?: WriteFailure
}

export function countingDialect({
  tokens,
  cached,
  object,
  writeFailure,
  ...format
}: Counting): Dialect {
  return {
    ...format,
    readCompletion: (response) =>
      readAnswer(response, {
        read(body) {
          const inputTokens = numberOf(body[tokens])
          const cacheReadInputTokens = cached === undefined ? undefined : numberOf(body[cached])
          return {
            text: inputTokens === undefined ? '' : `${inputTokens} tokens`,
            usage: counted({ inputTokens, cacheReadInputTokens }),
          }
        },
      }),
    writeCompletion(completion, request) {
      const { text, usage } = completion
      const whole = jsonObject({
        object: object?.(request),
        [tokens]: usage?.inputTokens ?? Number(COUNTED.exec(text)?.[1] ?? 0),
        ...(cached === undefined ? {} : { [cached]: usage?.cacheReadInputTokens }),
      })
      return writeAnswer(completion, { whole }, writeFailure)
    },
  }
}
