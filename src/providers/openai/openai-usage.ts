import { isJsonObject } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import { counted, numberOf, objectOf, type Field } from '../fields.ts'

/** Reads usage under the names of chat completions, of responses, and of similar formats. */
export function readOpenAiUsage(value: Field): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const input = objectOf(
    value.prompt_tokens_details ?? value.input_tokens_details ?? value.input_token_details,
  )
  const output = objectOf(
    value.completion_tokens_details ?? value.output_tokens_details ?? value.output_token_details,
  )
  return counted({
    inputTokens: numberOf(value.prompt_tokens, value.input_tokens),
    outputTokens: numberOf(value.completion_tokens, value.output_tokens),
    cacheReadInputTokens: numberOf(
      input.cached_tokens,
      value.prompt_cache_hit_tokens,
      value.cache_read_input_tokens,
      value.cached_tokens,
      value.num_cached_tokens,
    ),
    cacheCreationInputTokens: numberOf(input.cache_write_tokens, value.cache_creation_input_tokens),
    reasoningOutputTokens: numberOf(output.reasoning_tokens, value.reasoning_tokens),
  })
}
