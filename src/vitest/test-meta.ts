import type { Exchange, UsageSummary } from '../cassette/cassette.ts'
import { PriceTable } from '../conversation/cost.ts'
import {
  countExchange,
  isFree,
  sumUsage,
  type Countable,
  type UsageTotal,
} from '../conversation/usage.ts'
import type { Session } from '../engine/session.ts'
import type { Usage } from '../prompt/completion.ts'

/** What a test asked, in figures: `task.meta.cassette`. It travels to reporters, shards and blobs. */
export interface CassetteMeta {
  /** Exchanges answered from the cassette. */
  replayed: number
  /** Exchanges recorded in this run. */
  recorded: number
  /** Requests that nothing answered. */
  misses: number
  /** Exchanges of the cassette that were not asked for. */
  unused: number
  /** Where conversations left their recording in mode `new`: one line for each, with the test. */
  handOvers: string[]
  /** What replay saved: tokens, time and cost of the exchanges that were replayed. */
  saved: UsageTotal
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set on every test that asked a model, and on files that asked outside of their tests. */
    cassette?: CassetteMeta
  }
}

/**
 * Counts what a session asked.
 *
 * @param unused how many exchanges it should have asked for and did not
 * @param handOvers where its conversations left their recording
 */
export function countSession(
  session: Session,
  unused: number,
  handOvers: readonly string[],
): CassetteMeta {
  const replayed = session.asked.flatMap(({ replayed }) => replayed ?? [])
  const prices = new PriceTable(session.config.prices)
  return {
    replayed: replayed.length,
    recorded: session.asked.length - replayed.length,
    misses: session.misses.length,
    unused,
    handOvers: handOvers.map((place) => `${session.test.id}: ${place}`),
    saved: sumUsage(replayed.map((exchange) => countReplayed(exchange, prices))),
  }
}

/** Counts by the readable half, which holds the figures already. */
function countReplayed({ prompt, response, wire }: Exchange, prices: PriceTable): UsageTotal {
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
