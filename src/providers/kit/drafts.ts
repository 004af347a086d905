import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { defined, numberOf, objectOf, stringOf } from '../fields.ts'

/** The parts of a streamed answer by their number, each as received so far. */
export class Drafts<Draft> extends Map<number, Draft> {
  /** The draft of a number, which is made if nothing of it was received yet. */
  at(index: number, make: () => Draft): Draft {
    const draft = this.get(index) ?? make()
    this.set(index, draft)
    return draft
  }

  /** The drafts in the order of their numbers, in whatever order they were begun. */
  inOrder(): Draft[] {
    return [...this].sort(([one], [other]) => one - other).map(([, draft]) => draft)
  }
}

/** A tool call, as received so far. */
interface Fragment {
  index?: number
  type?: string
  id?: string
  field: 'function' | 'custom'
  name?: string
  /** Text that is still coming, or a value that came whole. */
  input: JsonValue
}

/** Tool calls of chat completions, joined from their fragments. */
export class CallFragments {
  readonly #calls: Fragment[] = []

  add(delta: JsonObject): void {
    const field = delta.custom ? 'custom' : 'function'
    const called = objectOf(delta[field])
    const id = stringOf(delta.id) || undefined
    const name = stringOf(called.name) || undefined
    const call = this.#continued(numberOf(delta.index), id, name) ?? this.#begin(delta, field)
    call.id ??= id
    call.name ??= name
    const input = field === 'custom' ? called.input : called.arguments
    if (typeof input === 'string' && typeof call.input === 'string') call.input += input
    else if (input !== undefined && input !== null) call.input = input
  }

  /** The calls in the form of an answer that is not streamed. */
  joined(): JsonObject[] {
    return this.#calls.map(({ id, type, field, name, input }) => {
      const called = defined({ name, [field === 'custom' ? 'input' : 'arguments']: input })
      return defined({ id, type, [field]: called }) as JsonObject
    })
  }

  /** The call that a fragment belongs to, unless it opens one of its own. */
  #continued(index?: number, id?: string, name?: string): Fragment | undefined {
    // Some providers number every call 0, or none, and send each of them whole.
    const call = this.#calls.findLast((other) => index === undefined || other.index === index)
    if (name === undefined || call?.name === undefined) return call
    const opens = id === undefined ? index === undefined : call.id !== id
    return opens ? undefined : call
  }

  #begin(delta: JsonObject, field: Fragment['field']): Fragment {
    const call: Fragment = {
      index: numberOf(delta.index),
      type: stringOf(delta.type),
      field,
      input: '',
    }
    this.#calls.push(call)
    return call
  }
}
