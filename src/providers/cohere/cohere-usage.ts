import type { JsonObject } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import { counted, jsonObject, numberOf, objectOf, type Field } from '../fields.ts'

/** Reads Cohere's usage: the tokens if it names them, otherwise the billed ones. */
export function readCohereUsage(value: Field): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = objectOf(value)
  const { input_tokens, output_tokens } = objectOf(tokens)
  const billed = objectOf(billed_units)
  return counted({
    inputTokens: numberOf(input_tokens, billed.input_tokens),
    outputTokens: numberOf(output_tokens, billed.output_tokens),
    cacheReadInputTokens: numberOf(cached_tokens),
  })
}

/** Writes usage in the form that {@link readCohereUsage} reads. */
export function writeCohereUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadInputTokens } = usage
  const tokens = jsonObject({ input_tokens: inputTokens, output_tokens: outputTokens })
  return jsonObject({ billed_units: tokens, tokens, cached_tokens: cacheReadInputTokens })
}
