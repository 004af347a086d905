import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Message, Part } from '../prompt/prompt.ts'

/** A tool call, with the result that the application sent back in a later request. */
export interface PairedCall {
  id?: string
  name: string
  parameters: JsonValue
  result?: JsonValue
  /** The other fields of the result's message, such as that it is an error. */
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
  // A message with parts left keeps its `extra`.
  if (left.length === 0 && paired && extra) paired.extra = extra
  return left
}

/** The latest call with this id that has no result yet; without one, the first call with neither. */
export function findCall(calls: PairedCall[], id: string | undefined): PairedCall | undefined {
  const open = calls.filter((call) => call.result === undefined)
  if (id === undefined) return open.find((call) => call.id === undefined)
  return open.findLast((call) => call.id === id)
}
