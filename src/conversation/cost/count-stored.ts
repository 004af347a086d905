import type { Exchange, UsageSummary } from '../../cassette/format/cassette.ts'
import type { Usage } from '../../prompt/completion.ts'
import type { PriceTable } from './cost.ts'
import { countExchange, isFree, type Countable, type UsageTotal } from './usage.ts'

/** Counts an exchange by its readable half, which holds the figures already. */
export function countStored({ prompt, response, wire }: Exchange, prices: PriceTable): UsageTotal {
  const { model } = prompt.metadata
  const { usage, duration_ms: durationMs } = response
  const countable: Countable = {
    ...(typeof model === 'string' ? { model } : {}),
    ...(usage ? { usage: readUsage(usage) } : {}),
    isFree: isFree(wire),
    durationMs,
  }
  return countExchange(countable, prices)
}

function readUsage(usage: UsageSummary): Usage {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  }
}
