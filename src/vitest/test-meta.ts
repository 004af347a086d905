import type { Session } from '../engine/session.ts'

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
  /** What replay saved. */
  savedTokens: number
  savedMs: number
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
 */
export function countSession(session: Session, unused: number): CassetteMeta {
  const replayed = session.asked.flatMap(({ replayed }) => replayed ?? [])
  const usages = replayed.map(({ response }) => response.usage)
  return {
    replayed: replayed.length,
    recorded: session.asked.length - replayed.length,
    misses: session.misses.length,
    unused,
    savedTokens: sum(
      usages.map((usage) => (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)),
    ),
    savedMs: sum(replayed.map(({ response }) => response.duration_ms ?? 0)),
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
