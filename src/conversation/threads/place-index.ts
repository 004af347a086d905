import { jsonKey } from '../../diff/compare/json-key.ts'
import type { Part } from '../../prompt/prompt.ts'
import { isFailed, keysBeforeAnswer, type Spoken } from './continuation.ts'
import { isAssistant } from './keyed-messages.ts'

/**
 * Indexes places of conversations by traces. A prompt that continues a place holds one of them: the end of the
 * prompt there, the answer, or the result of one of its calls. A prompt is therefore compared with few places,
 * however many there are.
 */
export class PlaceIndex<Place extends { spoken: Spoken }> {
  readonly #places: Map<string, Set<Place>> = new Map()

  add(place: Place): void {
    for (const trace of tracesLeftBy(place.spoken)) {
      const known = this.#places.get(trace)
      if (known) known.add(place)
      else this.#places.set(trace, new Set([place]))
    }
  }

  delete(place: Place): void {
    for (const trace of tracesLeftBy(place.spoken)) this.#places.get(trace)?.delete(place)
  }

  /** Every place that a prompt can continue, and some that it does not. */
  find(next: Spoken): Set<Place> {
    return new Set(tracesIn(next).flatMap((trace) => [...(this.#places.get(trace) ?? [])]))
  }
}

/** The traces by which a later prompt shows that it continues this one; see `continues`. */
function tracesLeftBy(spoken: Spoken): string[] {
  const { text, toolCalls } = spoken.step.completion
  const last = keysBeforeAnswer(spoken.dialog).at(-1)
  return [
    ...(last === undefined ? [] : [`end ${last}`]),
    ...(last !== undefined && isFailed(spoken) ? [`again ${last}`] : []),
    ...(text === '' ? [] : [`text ${text.trim()}`]),
    ...toolCalls.flatMap(({ id, name, arguments: args }) => {
      const call = `${name} ${jsonKey(args)}`
      return id === undefined ? [`nameless ${call}`] : [`id ${id}`, `named ${call}`]
    }),
  ]
}

function tracesIn({ dialog: { messages, keys } }: Spoken): string[] {
  return [
    ...keys.map((key, index) => (index < keys.length - 1 ? `end ${key}` : `again ${key}`)),
    ...messages.flatMap((message) =>
      message.parts.flatMap((part) => tracesOfPart(part, isAssistant(message))),
    ),
  ]
}

function tracesOfPart(part: Part, isAnswer: boolean): string[] {
  if (part.type === 'tool_call_response') return part.id === undefined ? [] : [`id ${part.id}`]
  if (!isAnswer) return []
  if (part.type === 'text') return [`text ${part.text.trim()}`]
  if (part.type !== 'tool_call') return []
  const call = `${part.name} ${jsonKey(part.arguments)}`
  return part.id === undefined
    ? [`nameless ${call}`, `named ${call}`]
    : [`id ${part.id}`, `nameless ${call}`]
}
