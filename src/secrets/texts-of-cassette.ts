import type { StoredCassette, StoredExchange } from '../cassette/format.ts'
import { below } from '../cassette/pointer.ts'
import { restoreBody, type StoredBody } from '../cassette/stored-body.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A text of a cassette file, and where it stands. */
export interface PlacedText {
  /** A JSON pointer into the file. */
  pointer: string
  text: string
}

/** Keys whose values say what they are by the key alone. */
const TELLING_KEY = /key|token|secret|passw/i

/** Every text that a cassette file holds, keys among them, and the texts that its streams make. */
export function textsOfCassette(stored: StoredCassette): PlacedText[] {
  const texts: PlacedText[] = []
  addTexts(stored.exchanges as JsonValue, '/exchanges', '', texts)
  for (const [index, exchange] of stored.exchanges.entries()) {
    const pointer = `/exchanges/${index}/wire/response/body`
    texts.push(...streamedTexts(exchange).map((text) => ({ pointer, text })))
  }
  return texts
}

function addTexts(value: JsonValue, pointer: string, key: string, texts: PlacedText[]): void {
  if (typeof value === 'string') {
    texts.push({ pointer, text: TELLING_KEY.test(key) ? `${key}=${value}` : value })
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addTexts(item, below(pointer, index), key, texts)
  } else if (isJsonObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      texts.push({ pointer, text: name })
      addTexts(child, below(pointer, name), name, texts)
    }
  }
}

/** The texts of an answer that came in pieces. */
function streamedTexts({ wire }: StoredExchange): string[] {
  if (!wire?.response) return []
  const { body, layout, eol } = wire.response
  const restored = restoreBody({ body, layout, eol } as StoredBody)
  if (!['events', 'lines', 'frames'].includes(restored.kind)) return []
  const texts: string[] = []
  replaceTexts(restored, (text) => {
    texts.push(text)
    return []
  })
  return texts
}
