import { costText, type UsageTotal } from '../../conversation/cost.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Judged } from './judge-asking.ts'
import type { Tally } from './tally.ts'

/** Seconds, with a decimal. */
export function secondsText({ durationMs }: UsageTotal): string {
  return `${(durationMs / 1_000).toFixed(1)} s`
}

/** The heads of the columns of figures. */
export const FIGURES = ['same', 'words', 'other', 'fails', 'cost', 'was', 'time', 'was']

/** The figures of a row, in the order of {@link FIGURES}. */
export function tallyFigures({ verdicts, took, was }: Tally): string[] {
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

/** The most characters of an answer that are shown. */
const MAX_LENGTH = 400

/** An answer to show beside another: its text and its tool calls. */
export function answerText({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`)
  const said = [text.trim(), ...calls].filter(Boolean).join(' ')
  const shown = said || `nothing, and ends with ${finishReasons.join(', ') || 'no reason'}`
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown
}
