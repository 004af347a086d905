import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Message, Part } from '../prompt/prompt.ts'

/** A tool call, with what the application sent back for it in a later request. */
export interface PairedCall {
  id?: string
  name: string
  parameters: JsonValue
  result?: JsonValue
  /** What the message of the result has beside it, such as that it is an error. */
  extra?: JsonObject
}

/** Gives each result of a message to the call that it answers; returns the parts that are left. */
export function pairResults({ parts, extra }: Message, calls: PairedCall[]): Part[] {
  let paired: PairedCall | undefined
  const left = parts.filter((part) => {
    if (part.type !== 'tool_call_response') return true
    const call = findCall(calls, part.id)
    if (!call) return true
    call.result = part.result
    paired = call
    return false
  })
  // A message of which something is left keeps it.
  if (left.length === 0 && paired && extra) paired.extra = extra
  return left
}

/** The latest call with this id; without one, the first that was not answered yet. */
function findCall(calls: PairedCall[], id: string | undefined): PairedCall | undefined {
  const open = calls.filter((call) => call.result === undefined)
  if (id === undefined) return open.find((call) => call.id === undefined)
  return open.findLast((call) => call.id === id)
}
