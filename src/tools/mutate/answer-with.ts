import type { RecordedExchange, WrittenResponse } from '../../cassette/cassette.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { writtenAnswer } from '../../features/hand-written.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireResponse } from '../../wire/message.ts'

/**
 * A recorded answer with other content. All that its format does not write for the content stays as recorded: ids,
 * headers, and fields that only this provider has. `undefined` where the change cannot be made in the recorded body:
 * in the events of a stream, and where the provider says the same in another field.
 */
export function answerWith(
  { id, prompt, wire }: RecordedExchange,
  before: WrittenResponse,
  after: WrittenResponse,
): WireResponse | undefined {
  const incoming = readIncoming(wire.request)
  const [base, written] = [before, after].map((response) =>
    writtenAnswer({ id, prompt, response }, incoming),
  ) as [WireResponse, WireResponse]
  const [recorded, was, is] = [wire.response.body, base.body, written.body]
  if (recorded.kind !== 'json' || was.kind !== 'json' || is.kind !== 'json') return undefined
  if (isEqual(was.value, is.value)) return wire.response
  const value = merge(recorded.value, was.value, is.value)
  const merged = { ...wire.response, body: { ...recorded, value } }
  const { readCompletion } = dialectFor(incoming)
  return hasSameContent(readCompletion(merged), readCompletion(written)) ? merged : undefined
}

function hasSameContent(one: Completion, other: Completion): boolean {
  const contentOf = ({ text, toolCalls }: Completion): unknown => [
    text,
    toolCalls.map(({ name, arguments: given }) => [name, given]),
  ]
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other))
}

/** Makes in the recorded value the changes between two others. */
function merge(recorded: JsonValue, base: JsonValue, changed: JsonValue): JsonValue {
  if (isEqual(base, changed)) return recorded
  if (isJsonObject(recorded) && isJsonObject(base) && isJsonObject(changed)) {
    // An object of another type has other fields.
    if (base.type !== changed.type) return changed
    const merged = Object.entries({ ...recorded, ...changed }).flatMap(([key, value]) => {
      if (!(key in changed)) return key in base ? [] : [[key, value] as const]
      const [was, is] = [base[key], changed[key]!]
      if (key in recorded)
        return [[key, was === undefined ? is : merge(recorded[key]!, was, is)] as const]
      // The provider leaves out what the format writes for all.
      return was !== undefined && isEqual(was, is) ? [] : [[key, is] as const]
    })
    return Object.fromEntries(merged)
  }
  if (Array.isArray(recorded) && Array.isArray(base) && Array.isArray(changed)) {
    if (recorded.length !== base.length) return changed
    return changed.map((item, index) =>
      index < base.length ? merge(recorded[index]!, base[index]!, item) : item,
    )
  }
  return changed
}

/** Both are written by one function, in one order of keys. */
function isEqual(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
