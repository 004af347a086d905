import type { StoredCassette, StoredExchange } from '../cassette/format.ts'
import { isStoredText, restoreBody, restoreText, type StoredBody } from '../cassette/stored-body.ts'
import { below } from '../json/json-pointer.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { rememberFor } from '../remember.ts'
import { mapTexts } from '../wire/map-texts.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A text of a cassette file, and its place. */
export interface CassetteText {
  /** A JSON pointer into the file. */
  pointer: string
  text: string
}

/** Keys that alone identify their values as credentials. */
const TELLING_KEY = /key|token|secret|pass|pwd|auth|cookie|credential|bearer|pat$/i

/** Adds a text at the place of the keys; `named` is the text with its key before it, if the key identifies it. */
type Add = (keys: readonly string[], text: string, named?: string) => void

/** A cassette file, or a part of one with its exchanges. */
export type Exchanges = Pick<StoredCassette, 'exchanges'> & Partial<StoredCassette>

/** The keys of the body of an answer in its exchange. */
const BODY = ['wire', 'response', 'body']

/** The stored forms of streams. */
const STREAMS = ['$events', '$lines', '$frames']

/**
 * Every text of a cassette file, including keys, and the whole texts of its streams. A text that an exchange repeats,
 * as the events of a stream do, is given at its first place.
 */
export const textsOfCassette: (stored: Exchanges) => CassetteText[] = rememberFor(
  ({ exchanges, ...head }: Exchanges): CassetteText[] => {
    const texts: CassetteText[] = []
    const put = (keys: readonly string[], text: string, named?: string): void => {
      texts.push({ pointer: keys.reduce(below, ''), text: named ?? text })
    }
    addTexts(head as unknown as JsonValue, [], '', put)
    for (const [index, exchange] of exchanges.entries()) {
      const place = ['exchanges', String(index)]
      const { wholes, pieces } = streamedTexts(exchange)
      const seen = new Set<string>()
      const add: Add = (keys, text, named) => {
        const said = named ?? text
        if (seen.has(said)) return
        // A piece of a streamed text can mean something else than the whole.
        if (pieces.has(text) && !wholes.has(text) && isInBody(keys)) return
        seen.add(said)
        put([...place, ...keys], text, named)
      }
      addTexts(exchange as unknown as JsonValue, [], '', add)
      for (const text of wholes) if (!seen.has(text)) add(BODY, text)
    }
    return texts
  },
)

function isInBody(keys: readonly string[]): boolean {
  return keys.length > BODY.length && BODY.every((key, depth) => keys[depth] === key)
}

function addTexts(value: JsonValue, keys: string[], name: string, add: Add): void {
  if (typeof value === 'string') {
    add(keys, value, TELLING_KEY.test(name) ? `${name}=${value}` : undefined)
  } else if (isStoredText(value)) {
    addTexts(restoreText(value), keys, name, add)
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

/** The whole texts of a streamed answer, and the pieces in which they came. */
function streamedTexts({ wire }: StoredExchange): { wholes: Set<string>; pieces: Set<string> } {
  const [wholes, pieces] = [new Set<string>(), new Set<string>()]
  const { body, layout, eol } = wire?.response ?? {}
  // Checks the stored body first: a body without a stream may hold files, which are not read here.
  if (!isJsonObject(body) || !STREAMS.some((kind) => kind in body)) return { wholes, pieces }
  const restored = restoreBody({ body, layout, eol } as StoredBody)
  replaceTexts(restored, (text) => {
    wholes.add(text)
    return []
  })
  mapTexts(restored, (text, _place, channel) => {
    if (channel !== undefined) pieces.add(text)
    return text
  })
  return { wholes, pieces }
}
