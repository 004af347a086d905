import { dollarsText } from '../../conversation/cost/cost-text.ts'
import type { Figures } from '../data/report-data.ts'

/** What stands in the place of a figure that nobody knows. */
const UNKNOWN = '–'

/** A number as people write it. */
export function count(value: number | null): string {
  return value === null ? UNKNOWN : value.toLocaleString('en-US')
}

/** A number with its noun. */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** A long number in little room. */
export function short(value: number | null): string {
  if (value === null) return UNKNOWN
  if (value < 10_000) return count(value)
  return value < 1_000_000 ? `${(value / 1_000).toFixed(0)}k` : `${(value / 1_000_000).toFixed(1)}M`
}

/** A cost that is known in part is a lower bound. */
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

/** What exchanges took, adding up what is known. */
export function sumFigures(all: readonly Figures[]): Figures {
  const sum = (figure: (one: Figures) => number | null): number | null => {
    const known = all.flatMap((one) => figure(one) ?? [])
    return known.length === 0 && all.length > 0
      ? null
      : known.reduce((one, other) => one + other, 0)
  }
  const isAtLeast = all.some((one) => one.isAtLeast ?? one.cost === null)
  return {
    exchanges: sum((one) => one.exchanges) ?? 0,
    input: sum((one) => one.input),
    output: sum((one) => one.output),
    cached: sum((one) => one.cached) ?? 0,
    reasoning: sum((one) => one.reasoning) ?? 0,
    cost: sum((one) => one.cost),
    ...(isAtLeast ? { isAtLeast: true as const } : {}),
    ms: sum((one) => one.ms) ?? 0,
  }
}
