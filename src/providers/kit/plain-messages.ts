import { isAssistant, isSystem, type Part } from '../../prompt/prompt.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { PlainPrompt } from '../dialect.ts'

/** A part that every format of conversations has. Calls and their results have ids. */
type PlainPart =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; base64: string }
  | { type: 'call'; id: string; name: string; arguments: JsonValue }
  | { type: 'result'; id: string; text: string }

export interface PlainMessage {
  role: 'system' | 'user' | 'assistant'
  parts: PlainPart[]
}

/** The messages of a prompt in what every format has; reasoning is left out. */
export function plainMessages({ messages, pictures }: PlainPrompt): PlainMessage[] {
  const ids = new CallIds()
  const plain = (part: Part): PlainPart[] => {
    if (part.type === 'text') return part.text === '' ? [] : [part]
    if (part.type === 'blob')
      return [{ type: 'image', mimeType: part.mimeType!, base64: pictures.get(part.hash)! }]
    if (part.type === 'tool_call') {
      const { id, name, arguments: given } = part
      return [{ type: 'call', id: ids.ofCall(name, id), name, arguments: given }]
    }
    if (part.type !== 'tool_call_response') return []
    const { id, result } = part
    const text = typeof result === 'string' ? result : JSON.stringify(result)
    return [{ type: 'result', id: ids.ofResult(id), text }]
  }
  return messages.map((message) => {
    const parts = message.parts.flatMap(plain)
    const isAnswer = isAssistant(message) || parts.some(({ type }) => type === 'call')
    return { role: isSystem(message) ? 'system' : isAnswer ? 'assistant' : 'user', parts }
  })
}

/** The texts of a message. */
export function textsOf({ parts }: PlainMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')
}

/** The text of the instructions; `undefined` where there are none. */
export function systemTextOf(messages: readonly PlainMessage[]): string | undefined {
  const system = messages.filter(({ role }) => role === 'system')
  return system.map(textsOf).join('\n\n') || undefined
}

/** What a user says in a message: a text, or a list of parts where there are pictures. */
export function saidIn(
  message: PlainMessage,
  writeText: (text: string) => JsonObject,
  writeImage: (url: string) => JsonObject,
): JsonValue {
  const { parts } = message
  if (!parts.some(({ type }) => type === 'image')) return textsOf(message)
  return parts.flatMap((part) => {
    if (part.type === 'text') return writeText(part.text)
    return part.type === 'image' ? writeImage(`data:${part.mimeType};base64,${part.base64}`) : []
  })
}

/** The schema of the arguments of a tool that has none. */
export const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} }

/** Gives ids to calls and their results. In formats without ids, the results follow their calls in order. */
class CallIds {
  #next: number = 1
  readonly #open: Array<{ name: string; id: string }> = []

  ofCall(name: string, id: string | undefined): string {
    const known = id ?? `call_${this.#next++}`
    this.#open.push({ name, id: known })
    return known
  }

  ofResult(id: string | undefined): string {
    const index = this.#open.findIndex(
      (call) => id === undefined || call.id === id || call.name === id,
    )
    const [call] = index < 0 ? [] : this.#open.splice(index, 1)
    return call?.id ?? id ?? `call_${this.#next++}`
  }
}
