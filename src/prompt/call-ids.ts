import { isContainer, type JsonObject, type JsonValue, mapInside } from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import { isCallAt, isFarAt, type CallPlace } from './call-places.ts'

/** The beginning of a mark for the id of a call. */
const MARK = '\u0000call:'

/**
 * The ids of tool calls in one request, numbered by first appearance. Some SDKs invent them at random, and all of
 * them change when the first turn of a conversation is recorded again. A result still belongs to its call, because
 * one id is one number.
 */
export class CallIds {
  readonly #numbers: Map<string, number> = new Map()

  /**
   * The mark for an id; `undefined` for that of a result whose call is not in the request. The provider made that id,
   * so a client has to send it as it came, and it alone says which call the result answers.
   *
   * @param isFar whether it is the id of a result whose call can lie at the provider
   */
  markOf(id: string, isFar: boolean): string | undefined {
    const known = this.#numbers.get(id)
    if (isFar && known === undefined) return undefined
    const number = known ?? this.#numbers.size + 1
    this.#numbers.set(id, number)
    return `${MARK}${number}`
  }
}

/** Whether a value is the mark for the id of a call. */
export function isCallMark(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith(MARK)
}

/** A body with marks in the place of the ids of its calls; the same body where it has none. */
export function markCallIds(
  body: JsonValue,
  place: CallPlace | undefined,
  ids: CallIds = new CallIds(),
): JsonValue {
  return fold(body, place, (one, at, inside): JsonValue => {
    if (!at || !isContainer(one)) return one
    if (Array.isArray(one)) return mapInside(one, (item) => inside(item, at.items))
    let marked: JsonObject | undefined
    for (const [key, inner] of at.fields) {
      const value = Object.hasOwn(one, key) ? one[key] : undefined
      if (value === undefined) continue
      const isId = typeof value === 'string' && isCallAt(inner, one)
      const form = isId ? (ids.markOf(value, isFarAt(inner, one)) ?? value) : inside(value, inner)
      if (form === value) continue
      // Without a prototype, a key named `__proto__` is a key like any other.
      marked ??= Object.assign(Object.create(null) as JsonObject, one)
      marked[key] = form
    }
    return marked ?? one
  })
}
