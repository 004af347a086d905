import type { JsonValue } from '../json/json-value.ts'
import type { Part } from '../prompt/prompt.ts'

/** A tool call, with what the application sent back for it in a later request. */
export interface PairedCall {
  id?: string
  name: string
  parameters: JsonValue
  result?: JsonValue
}

/** Gives each result among the parts to the call that it answers; returns the parts that are left. */
export function pairResults(parts: Part[], calls: PairedCall[]): Part[] {
  return parts.filter((part) => {
    if (part.type !== 'tool_call_response') return true
    const call = findCall(calls, part.id)
    if (!call) return true
    call.result = part.result
    return false
  })
}

/** The latest call with this id; without one, the first that was not answered yet. */
function findCall(calls: PairedCall[], id: string | undefined): PairedCall | undefined {
  const open = calls.filter((call) => call.result === undefined)
  if (id === undefined) return open.find((call) => call.id === undefined)
  return open.findLast((call) => call.id === id)
}
