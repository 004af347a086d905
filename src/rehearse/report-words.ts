import { costText } from '../conversation/cost/cost-text.ts'
import type { UsageTotal } from '../conversation/cost/usage.ts'
import type { Judged } from './judge.ts'
import type { Tally } from './tally.ts'

/** Seconds, with a decimal. */
export function secondsText({ durationMs }: UsageTotal): string {
  return `${(durationMs / 1_000).toFixed(1)} s`
}

/** The heads of the columns of figures. */
export const FIGURES = ['same', 'words', 'other', 'fails', 'cost', 'was', 'time', 'was']

/** The figures of a row, in the order of {@link FIGURES}. */
export function figuresOf({ verdicts, took, was }: Tally): string[] {
  const { same, words, other, fails } = verdicts
  return [
    String(same),
    String(words),
    String(other),
    String(fails),
    costText(took),
    costText(was),
    secondsText(took),
    secondsText(was),
  ]
}

/** A verdict in words: `other, 4 of 5 the same`. */
export function verdictText({ verdict, samples, agreed }: Judged): string {
  return samples > 1 ? `${verdict}, ${agreed} of ${samples} the same` : verdict
}
