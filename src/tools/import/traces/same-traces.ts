import { sha256 } from '../../../prompt/sha256.ts'
import type { ModelCall } from './model-call.ts'
import type { Trace } from './read-traces.ts'

/** A trace, and how many others say the same. */
export interface DistinctTrace {
  trace: Trace
  /** The ids of the traces that are left out. */
  same: string[]
}

/** The traces without those that have the prompts and the calls of tools of an earlier one. */
export function distinctTraces(traces: readonly Trace[]): DistinctTrace[] {
  const distinct = new Map<string, DistinctTrace>()
  for (const trace of traces) {
    const key = sha256(JSON.stringify(trace.calls.map(saidIn)))
    const known = distinct.get(key)
    if (known) known.same.push(trace.id)
    else distinct.set(key, { trace, same: [] })
  }
  return [...distinct.values()]
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
