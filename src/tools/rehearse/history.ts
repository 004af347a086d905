import { readJsonLines } from '../../json/json-lines.ts'
import { countOf } from '../../text/count-of.ts'
import { appendNote } from '../../secrets/notes.ts'
import { changesText, type Judged } from './judge-asking.ts'
import { placeText } from './questions.ts'

/** One rehearsal in the history: a line of its file. */
export interface HistoryEntry {
  date: string
  answers: number
  /** The differences of each place that drifted, by `test, exchange-2`. */
  drifted: Record<string, string[]>
  /** In US dollars, and in milliseconds. */
  cost: number
  durationMs: number
}

/**
 * A rehearsal as a line of the history.
 *
 * @param once the questions whose usage counts: of those that share their calls, one
 */
export function historyEntryOf(
  drifted: readonly Judged[],
  all: readonly Judged[],
  once: readonly Judged[],
  date: Date,
): HistoryEntry {
  const sum = (figure: (one: Judged) => number): number =>
    once.reduce((total, one) => total + figure(one), 0)
  return {
    date: date.toISOString(),
    answers: all.length,
    drifted: Object.fromEntries(drifted.map((one) => [placeText(one), changesText(one)])),
    cost: sum(({ took }) => took?.cost ?? 0),
    durationMs: sum(({ took }) => took?.durationMs ?? 0),
  }
}

/** The last rehearsal of a history; `undefined` if it has none. Lines that a person has broken are skipped. */
export function lastEntry(file: string): HistoryEntry | undefined {
  return readJsonLines<HistoryEntry | null>(file).findLast(
    (line) => typeof line?.date === 'string' && typeof line.drifted === 'object',
  ) as HistoryEntry | undefined
}

export function addEntry(file: string, entry: HistoryEntry): void {
  appendNote(file, `${JSON.stringify(entry)}\n`)
}

/** Describes the changes since the last rehearsal. */
export function describeSince(before: HistoryEntry, drifted: readonly Judged[]): string {
  const names = new Set(drifted.map(placeText))
  const fresh = [...names].filter((name) => !Object.hasOwn(before.drifted, name))
  const gone = Object.keys(before.drifted).filter((name) => !names.has(name))
  const since = `Since ${before.date.slice(0, 10)}`
  if (fresh.length + gone.length === 0) return `${since}: nothing new.`
  const parts = [
    fresh.length > 0 ? `${countOf(fresh.length, 'answer')} more drifted: ${fresh.join('; ')}` : '',
    gone.length > 0 ? `${countOf(gone.length, 'answer')} drifted no more: ${gone.join('; ')}` : '',
  ]
  return `${since}: ${parts.filter(Boolean).join('. ')}.`
}
