import type { JsonObject, JsonValue } from '../../json/json-value.ts'

/**
 * Collects the fields that no part of a message carries, under their path in the request: `cache_control`,
 * `content[2].cache_control`. A diff shows them, so none may be lost.
 */
export class Remainder {
  readonly #fields: [path: string, value: JsonValue][] = []

  /** Keeps the fields of `object` except those that were `read`. */
  keep(path: string, object: JsonObject, read: readonly string[]): void {
    for (const [name, value] of Object.entries(object)) {
      if (!read.includes(name)) this.#fields.push([path === '' ? name : `${path}.${name}`, value])
    }
  }

  /** The fields as `extra`, which is absent if there are none. */
  get extra(): { extra?: JsonObject } {
    return this.#fields.length > 0 ? { extra: Object.fromEntries(this.#fields) } : {}
  }
}
