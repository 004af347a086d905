import type { StoredCassette, StoredExchange } from '../cassette/format/format.ts'
import { below } from '../cassette/format/pointer.ts'
import { restoreBody, type StoredBody } from '../cassette/format/stored-body.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A text of a cassette file, and where it stands. */
export interface PlacedText {
  /** A JSON pointer into the file. */
  pointer: string
  text: string
}

/** Keys whose values say what they are by the key alone. */
const TELLING_KEY = /key|token|secret|pass|pwd|auth|cookie|credential|bearer|pat$/i

/** Takes a text; `named` is the same with the key before it, where that says what it is. */
type Add = (pointer: string, text: string, named?: string) => void

/** Every text that a cassette file holds, keys among them, and the texts that its streams make. */
export function textsOfCassette({ exchanges }: StoredCassette): PlacedText[] {
  const texts: PlacedText[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const body = `/exchanges/${index}/wire/response/body`
    const streamed = streamedTexts(exchange)
    const wholes = new Set(streamed)
    addTexts(
      exchange as unknown as JsonValue,
      `/exchanges/${index}`,
      '',
      (pointer, text, named) => {
        // A piece of a text that streams says something else than the whole.
        const isPiece = streamed && pointer.startsWith(`${body}/`) && !wholes.has(text)
        if (!isPiece) texts.push({ pointer, text: named ?? text })
      },
    )
    for (const text of streamed ?? []) texts.push({ pointer: body, text })
  }
  return texts
}

function addTexts(value: JsonValue, pointer: string, key: string, add: Add): void {
  if (typeof value === 'string') {
    add(pointer, value, TELLING_KEY.test(key) ? `${key}=${value}` : undefined)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addTexts(item, below(pointer, index), key, add)
  } else if (isJsonObject(value)) {
    // A list of variables or headers names them beside their values.
    if (typeof value.name === 'string' && typeof value.value === 'string')
      add(pointer, value.value, `${value.name}=${value.value}`)
    for (const [name, child] of Object.entries(value)) {
      add(pointer, name)
      addTexts(child, below(pointer, name), name, add)
    }
  }
}

/** The whole texts of an answer that came in pieces. */
function streamedTexts({ wire }: StoredExchange): string[] | undefined {
  if (!wire?.response) return undefined
  const { body, layout, eol } = wire.response
  const restored = restoreBody({ body, layout, eol } as StoredBody)
  if (!['events', 'lines', 'frames'].includes(restored.kind)) return undefined
  const texts: string[] = []
  replaceTexts(restored, (text) => {
    texts.push(text)
    return []
  })
  return texts
}
