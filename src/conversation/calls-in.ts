import type { Entry } from './entry.ts'
import type { PairedCall } from './paired-call.ts'

/** The calls of all assistants. */
export function callsIn(entries: readonly Entry[]): PairedCall[] {
  return entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []))
}

/** How many calls there are, and how many of them ended well or not. */
export function countCalls(entries: readonly Entry[]): {
  all: number
  completed: number
  failed: number
} {
  const calls = callsIn(entries)
  const answered = calls.filter(({ result }) => result !== undefined)
  const failed = answered.filter(({ extra }) => extra?.is_error === true).length
  return { all: calls.length, completed: answered.length - failed, failed }
}
