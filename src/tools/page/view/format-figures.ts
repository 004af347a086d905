import { dollarsText } from '../../../conversation/cost.ts'
import type { Figures } from '../data/report-data.ts'

/** Shown in place of an unknown figure. */
const UNKNOWN = '–'

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

/** Adds up the figures of exchanges, as far as they are known. */
export function sumFigures(all: readonly Figures[]): Figures {
  const sum = (figure: 'exchanges' | 'cached' | 'reasoning' | 'ms'): number =>
    all.reduce((total, one) => total + one[figure], 0)
  const sumKnown = (figure: 'input' | 'output' | 'cost'): number | null => {
    const known = all.map((one) => one[figure]).filter((value) => value !== null)
    const isUnknown = known.length === 0 && all.length > 0
    return isUnknown ? null : known.reduce((total, value) => total + value, 0)
  }
  return {
    exchanges: sum('exchanges'),
    input: sumKnown('input'),
    output: sumKnown('output'),
    cached: sum('cached'),
    reasoning: sum('reasoning'),
    cost: sumKnown('cost'),
    isAtLeast: all.some((one) => one.isAtLeast ?? one.cost === null) || undefined,
    ms: sum('ms'),
  }
}
