import { dollarsText } from '../../../conversation/cost.ts'
import type { Figures } from '../data/report-data.ts'

/** Shown in place of an unknown figure. */
const UNKNOWN = '–'

/** A number with thousands separators. */
export function count(value: number | null): string {
  return value === null ? UNKNOWN : value.toLocaleString('en-US')
}

/** A number in short: `12k`, `3.4M`. */
export function short(value: number | null): string {
  if (value === null) return UNKNOWN
  if (value < 10_000) return count(value)
  return value < 1_000_000 ? `${(value / 1_000).toFixed(0)}k` : `${(value / 1_000_000).toFixed(1)}M`
}

/** A cost in dollars, with `> ` in front if only a part of it is known. */
export function money({ cost, isAtLeast }: Pick<Figures, 'cost' | 'isAtLeast'>): string {
  if (cost === null) return UNKNOWN
  return `${isAtLeast ? '> ' : ''}${dollarsText(cost)}`
}

/** Milliseconds in words. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  const seconds = ms / 1_000
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}

/** Adds up the known figures of exchanges. */
export function sumFigures(all: readonly Figures[]): Figures {
  const sum = (figure: (one: Figures) => number | null): number | null => {
    const known = all.flatMap((one) => figure(one) ?? [])
    return known.length === 0 && all.length > 0
      ? null
      : known.reduce((one, other) => one + other, 0)
  }
  const isAtLeast = all.some((one) => one.isAtLeast ?? one.cost === null) || undefined
  return {
    exchanges: sum((one) => one.exchanges) ?? 0,
    input: sum((one) => one.input),
    output: sum((one) => one.output),
    cached: sum((one) => one.cached) ?? 0,
    reasoning: sum((one) => one.reasoning) ?? 0,
    cost: sum((one) => one.cost),
    isAtLeast,
    ms: sum((one) => one.ms) ?? 0,
  }
}
