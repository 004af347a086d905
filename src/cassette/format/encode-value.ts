import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { layoutOf } from '../../json/layout.ts'
import { mapInside } from '../../json/map-inside.ts'
import { extractBlob } from './blobs.ts'
import { wrapReserved } from './reserved-keys.ts'

/** Shorter texts are readable as they were sent. */
const MIN_STRINGIFIED = 256

/**
 * Encodes the JSON values of a body for storage. Images, audio and documents become files for `save`; long texts that
 * are JSON themselves (the arguments of a call) become the value that they spell; objects with reserved keys are
 * wrapped. References to earlier values are added later.
 */
export class ValueEncoder {
  readonly #save: (name: string, bytes: Buffer) => void
  /** The encoded form of each long text. Requests repeat long texts, so each is encoded once. */
  readonly #texts: Map<string, JsonValue> = new Map()

  /** @param save gets the name and the bytes of each file */
  constructor(save: (name: string, bytes: Buffer) => void) {
    this.#save = save
  }

  encode(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#encodeText(value)
    const encoded = mapInside(value, (child) => this.encode(child))
    return isJsonObject(encoded) ? wrapReserved(encoded) : encoded
  }

  #encodeText(text: string): JsonValue {
    if (text.length < MIN_STRINGIFIED) return text
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const encoded = extractBlob(text, this.#save) ?? this.spell(text) ?? text
    this.#texts.set(text, encoded)
    return encoded
  }

  /** The encoded form of a text as the value that it spells; `undefined` where that does not give the text back. */
  spell(text: string): JsonObject | undefined {
    if (!/^[[{]/.test(text)) return undefined
    const value = tryParseJson(text)
    const layout = value === undefined ? undefined : layoutOf(text, value)
    if (value === undefined || layout === undefined) return undefined
    const spelled: JsonObject = { $stringified: this.encode(value) }
    return Object.keys(layout).length > 0 ? { ...spelled, layout: { ...layout } } : spelled
  }
}
