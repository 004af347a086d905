import type { StoredCassette, StoredExchange } from '../cassette/format/format.ts'
import { isStoredText, readText } from '../cassette/format/text-lines.ts'
import { below } from '../cassette/format/pointer.ts'
import { restoreBody, type StoredBody } from '../cassette/format/stored-body.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { rememberFor } from '../remember.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A text of a cassette file, and where it stands. */
export interface PlacedText {
  /** A JSON pointer into the file. */
  pointer: string
  text: string
}

/** Keys whose values say what they are by the key alone. */
const TELLING_KEY = /key|token|secret|pass|pwd|auth|cookie|credential|bearer|pat$/i

/** Takes a text of the place that the keys lead to; `named` is the same with the key before it, where that says what it is. */
type Add = (keys: readonly string[], text: string, named?: string) => void

/** The exchanges of a cassette file. */
export type Exchanges = Pick<StoredCassette, 'exchanges'>

/** Where the body of an answer stands in its exchange. */
const BODY = ['wire', 'response', 'body']

/** The stored forms of what comes in pieces. */
const STREAMS = ['$events', '$lines', '$frames']

/**
 * Every text that a cassette file holds, keys among them, and the texts that its streams make. What an exchange
 * says again, as the events of a stream do, is given at its first place.
 */
export function textsOfCassette({ exchanges }: Exchanges): PlacedText[] {
  return textsOf(exchanges)
}

/** Read once, for all that looks for something in them. */
const textsOf = rememberFor((exchanges: StoredCassette['exchanges']): PlacedText[] => {
  const texts: PlacedText[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const place = `/exchanges/${index}`
    const streamed = streamedTexts(exchange)
    const wholes = new Set(streamed)
    const seen = new Set<string>()
    const add: Add = (keys, text, named) => {
      const said = named ?? text
      if (seen.has(said)) return
      // A piece of a text that streams says something else than the whole.
      if (streamed && !wholes.has(text) && isInBody(keys)) return
      seen.add(said)
      texts.push({ pointer: keys.reduce(below, place), text: said })
    }
    addTexts(exchange as unknown as JsonValue, [], '', add)
    for (const text of wholes) if (!seen.has(text)) add(BODY, text)
  }
  return texts
})

function isInBody(keys: readonly string[]): boolean {
  return keys.length > BODY.length && BODY.every((key, depth) => keys[depth] === key)
}

function addTexts(value: JsonValue, keys: string[], name: string, add: Add): void {
  if (typeof value === 'string') {
    add(keys, value, TELLING_KEY.test(name) ? `${name}=${value}` : undefined)
  } else if (isStoredText(value)) {
    addTexts(readText(value), keys, name, add)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      keys.push(String(index))
      addTexts(item, keys, name, add)
      keys.pop()
    }
  } else if (isJsonObject(value)) {
    // A list of variables or headers names them beside their values.
    if (typeof value.name === 'string' && typeof value.value === 'string')
      add(keys, value.value, `${value.name}=${value.value}`)
    for (const [key, child] of Object.entries(value)) {
      add(keys, key)
      keys.push(key)
      addTexts(child, keys, key, add)
      keys.pop()
    }
  }
}

/** The whole texts of an answer that came in pieces. */
function streamedTexts({ wire }: StoredExchange): string[] | undefined {
  if (!wire?.response) return undefined
  const { body, layout, eol } = wire.response
  // Asked of what is stored: a body that does not stream may hold files, which nobody reads here.
  if (!isJsonObject(body) || !STREAMS.some((kind) => kind in body)) return undefined
  const restored = restoreBody({ body, layout, eol } as StoredBody)
  const texts: string[] = []
  replaceTexts(restored, (text) => {
    texts.push(text)
    return []
  })
  return texts
}
