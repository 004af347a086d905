import type { JsonObject, JsonValue } from '../../json/json-value.ts'

/**
 * What no part of a message carries, under the path at which it was sent: `cache_control`,
 * `content[2].cache_control`. Nothing of a prompt may be lost, because a diff is read from it.
 */
export class Remainder {
  readonly #fields: [path: string, value: JsonValue][] = []

  /** Keeps the fields of `object` beside those that were `read`. */
  keep(path: string, object: JsonObject, read: readonly string[]): void {
    for (const [name, value] of Object.entries(object)) {
      if (!read.includes(name)) this.#fields.push([path === '' ? name : `${path}.${name}`, value])
    }
  }

  /** The fields as `extra`, which is left out where nothing remained. */
  get extra(): { extra?: JsonObject } {
    return this.#fields.length > 0 ? { extra: Object.fromEntries(this.#fields) } : {}
  }
}
