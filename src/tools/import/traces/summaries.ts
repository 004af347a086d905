import { sha256 } from '../../../prompt/sha256.ts'
import { CassetteError } from '../../../errors.ts'
import type { UnreadFile } from '../files.ts'
import { TRACE } from '../foreign.ts'
import { firstWords } from './first-test.ts'
import type { ModelCall } from './model-call.ts'
import { type Trace, traceOfSpans, whyEmpty } from './read-traces.ts'
import type { SpanStore } from './span-store.ts'
import { brokenTrace, compareTexts } from './span.ts'

/** What is known of a trace while others are read: a run can have more of them than fit into memory. */
export interface TraceSummary {
  /** Its key in the store. */
  key: string
  id: string
  files: string[]
  calls: number
  otherSpans: number
  /** How many of its spans have a parent that is in no file. */
  orphans: number
  names: string[]
  emitters: string[]
  /** The start of its first call; empty where the trace has no times. */
  start: string
  /** What the user said first. */
  firstWords: string
  hasTexts: boolean
  /** Equal for traces that say the same. */
  said: string
}

/**
 * Reads each trace of a store once, one after the other. They are in the order of their files, and of their first calls;
 * beside them are the files that tell nothing to replay.
 */
export function summarizeTraces(
  store: SpanStore,
  keys: Iterable<string>,
): { traces: TraceSummary[]; unread: UnreadFile[] } {
  const unread: UnreadFile[] = []
  const tell = (file: string, reason: string): void =>
    void unread.push({ file, reason, nearest: TRACE.name, isBroken: true })
  const all: TraceSummary[] = []
  for (const key of keys) {
    const { id, spans, files } = store.read(key)
    try {
      all.push({ key, files, ...summaryOfTrace(traceOfSpans(id, spans)) })
    } catch (error) {
      // One trace that cannot be read stops no other.
      if (!CassetteError.isInstance(error)) throw error
      tell(files[0]!, error.message)
    }
  }
  const told = all.flatMap((trace) => trace.files.map((file) => ({ file, trace })))
  const byFile = Map.groupBy(told, ({ file }) => file)
  const empty = new Set<string>()
  const order = [...byFile.keys()]
  for (const [file, those] of byFile) {
    const why = whyEmpty(those.map(({ trace }) => trace))
    if (why === undefined) continue
    empty.add(file)
    tell(file, brokenTrace(file, why).message)
  }
  return {
    traces: all
      .filter((one) => one.files.some((file) => !empty.has(file)))
      .toSorted(
        (one, other) =>
          order.indexOf(one.files[0]!) - order.indexOf(other.files[0]!) ||
          compareTexts(one.start, other.start) ||
          compareTexts(one.id, other.id),
      ),
    unread,
  }
}

/** What is kept of a trace. */
export function summaryOfTrace({
  id,
  calls,
  otherSpans,
  orphans,
  names,
}: Trace): Omit<TraceSummary, 'key' | 'files'> {
  return {
    id,
    calls: calls.length,
    otherSpans,
    orphans,
    names,
    emitters: [...new Set(calls.map(({ emitter }) => emitter))],
    start: calls[0]?.start ?? '',
    firstWords: ownText(firstWords(calls).slice(0, MOST_WORDS)),
    hasTexts: calls.some(hasTexts),
    said: sha256(JSON.stringify(calls.map(saidIn))),
  }
}

const MOST_WORDS = 80

/** A text of its own: a piece of a text holds all of that in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}

function hasTexts({ prompt, answer }: ModelCall): boolean {
  const parts = prompt.messages?.flatMap((message) => message.parts) ?? []
  return (
    answer.text !== '' ||
    answer.tool_calls?.some(({ parameters }) => parameters !== null) === true ||
    parts.some(({ type }) => type !== 'tool_call')
  )
}

/** What a call says: without ids, which each run has its own of, and without its answer in words. */
function saidIn({ prompt, answer }: ModelCall): unknown {
  const messages = prompt.messages?.map(({ role, parts }) => [
    role,
    parts.map((part) => ('id' in part ? { ...part, id: undefined } : part)),
  ])
  const calls = answer.tool_calls?.map(({ tool_name: name, parameters }) => [name, parameters])
  return [messages, calls, answer.error]
}

/** A trace, and how many others say the same. */
export interface DistinctTrace<Trace> {
  trace: Trace
  /** The ids of the traces that are left out. */
  same: string[]
}

/** The traces without those that have the prompts and the calls of tools of an earlier one. */
export function distinctTraces<Trace extends Pick<TraceSummary, 'id' | 'said'>>(
  traces: readonly Trace[],
): Array<DistinctTrace<Trace>> {
  const distinct = new Map<string, DistinctTrace<Trace>>()
  for (const trace of traces) {
    const known = distinct.get(trace.said)
    if (known) known.same.push(trace.id)
    else distinct.set(trace.said, { trace, same: [] })
  }
  return [...distinct.values()]
}
