import { isContainer, type JsonObject, type JsonValue, mapInside } from '../json/json-value.ts'
import type { Places } from '../json/places.ts'
import { fold } from '../json/walk.ts'
import { Numbers } from '../text/numbers.ts'

/** The beginning of a mark for the id of a call. */
const MARK = '\u0000call:'

/**
 * Says that the id of a tool call stands at a place. A field of the same name anywhere else is data, and counts: in the
 * input of a tool, in its result, in metadata, in a schema.
 */
export interface CallRow {
  /** The types of the objects that name a call, where others may stand there too. */
  types?: RegExp | undefined
  /** The types of results whose call can lie at the provider, which holds the conversation. */
  far?: RegExp | undefined
}

/** The places of call ids in a body. Items of lists alone are at any position. */
export type CallPlaces = Places<CallRow>

/**
 * The ids of tool calls in one request, numbered by first appearance. Some SDKs invent them at random, and all of
 * them change when the first turn of a conversation is recorded again. A result still belongs to its call, because
 * one id is one number.
 */
export class CallIds {
  readonly #numbers: Numbers = new Numbers()

  /**
   * The mark for the id of a call in a field of its owner; `undefined` for anything else, and for the id of a result
   * whose call is at the provider: the provider made that id, so a client has to send it as it came, and it alone says
   * which call the result answers.
   */
  markAt(at: CallPlaces | undefined, id: JsonValue, owner: JsonObject): string | undefined {
    if (typeof id !== 'string' || !at) return undefined
    const type = String(owner.type)
    if (!at.rows.some(({ types }) => !types || types.test(type))) return undefined
    if (at.rows.some(({ far }) => far?.test(type)) && !this.#numbers.has(id)) return undefined
    return `${MARK}${this.#numbers.of(id)}`
  }
}

/** Whether a value is the mark for the id of a call. */
export function isCallMark(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith(MARK)
}

/** A body with marks in the place of the ids of its calls; the same body where it has none. */
export function markCallIds(body: JsonValue, places: CallPlaces): JsonValue {
  const ids = new CallIds()
  return fold<JsonValue, CallPlaces | undefined>(body, places, (one, at, inside) => {
    if (!at || !isContainer(one)) return one
    if (Array.isArray(one)) return mapInside(one, (item) => inside(item, at.any))
    let marked: JsonObject | undefined
    for (const [key, inner] of at.fields) {
      const value = Object.hasOwn(one, key) ? one[key] : undefined
      if (value === undefined) continue
      const form = ids.markAt(inner, value, one) ?? inside(value, inner)
      if (form === value) continue
      // Without a prototype, a key named `__proto__` is a key like any other.
      marked ??= Object.assign(Object.create(null) as JsonObject, one)
      marked[key] = form
    }
    return marked ?? one
  })
}
