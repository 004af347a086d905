import type { PromptChange, MessagePlace } from '../compare/prompt-change.ts'

/** Changes that a reader takes as one. */
export type Run =
  | { kind: 'one'; changes: [PromptChange] }
  /** Messages that stood one after the other, and are all gone. */
  | { kind: 'removed'; changes: PromptChange[]; from: number; to: number }
  /** Two messages, each in the place of the other. */
  | { kind: 'swapped'; changes: PromptChange[]; from: number; to: number }

/** Fewer are read as fast one by one. */
const MIN_REMOVED = 3

/** The changes in their order, those together that are one to a reader. */
export function runsOf(changes: readonly PromptChange[]): Run[] {
  const runs: Run[] = []
  let at = 0
  while (at < changes.length) {
    const run = removedFrom(changes, at) ?? swappedAt(changes, at)
    runs.push(run ?? { kind: 'one', changes: [changes[at]!] })
    at += run?.changes.length ?? 1
  }
  return runs
}

/** Describes a run: `messages 2–57: removed (56)`; `undefined` for a change by itself. */
export function describeRun(run: Run): [subject: string, predicate: string] | undefined {
  if (run.kind === 'removed')
    return [`recorded messages ${run.from}–${run.to}`, `removed (${run.changes.length})`]
  return run.kind === 'swapped' ? [`messages ${run.from} and ${run.to}`, 'swapped'] : undefined
}

function removedFrom(changes: readonly PromptChange[], start: number): Run | undefined {
  const from = removedNumber(changes[start])
  if (from === undefined) return undefined
  let end = start + 1
  while (removedNumber(changes[end]) === from + end - start) end++
  const run = changes.slice(start, end)
  return run.length < MIN_REMOVED
    ? undefined
    : { kind: 'removed', changes: run, from, to: from + run.length - 1 }
}

function removedNumber(change: PromptChange | undefined): number | undefined {
  if (change?.kind !== 'removed' || change.place.area !== 'message') return undefined
  const { path, part, recorded } = change.place
  return path === '' && part === undefined ? recorded : undefined
}

/** Finds two messages that swapped places, or one that moved past its neighbour. */
function swappedAt(changes: readonly PromptChange[], at: number): Run | undefined {
  const [one, other] = [movedPlace(changes[at]), movedPlace(changes[at + 1])]
  // If messages were added or removed, the numbers after them do not show an order.
  if (!one || changes.some(isAddedOrRemoved)) return undefined
  const [from, to] = [one.recorded!, one.received!].toSorted((low, high) => low - high)
  if (other && other.recorded === one.received && other.received === one.recorded)
    return { kind: 'swapped', changes: changes.slice(at, at + 2), from: from!, to: to! }
  const isAlone = changes.filter(movedPlace).length === 1
  return isAlone && to! - from! === 1
    ? { kind: 'swapped', changes: changes.slice(at, at + 1), from: from!, to: to! }
    : undefined
}

function movedPlace(change: PromptChange | undefined): MessagePlace | undefined {
  return change?.kind === 'moved' ? change.place : undefined
}

function isAddedOrRemoved({ kind, place }: PromptChange): boolean {
  return kind !== 'edited' && kind !== 'moved' && place.area === 'message' && place.path === ''
}
