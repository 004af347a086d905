import type { Exchange } from '../cassette/cassette.ts'
import { encodeExchanges } from '../cassette/encode.ts'
import type { StoredCassette } from '../cassette/format.ts'
import { BODIES } from '../cassette/patterns.ts'
import { below } from '../json/json-pointer.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { remember, rememberFor } from '../remember.ts'
import { type Body, jsonOf } from '../wire/body.ts'
import { messageBefore } from '../wire/socket-frames.ts'
import { readTexts } from '../wire/replace-texts.ts'
import { bytesPrintedIn, mayHoldBytes } from './find/byte-lists.ts'
import { textsIn, textsOfPicture } from './find/picture-texts.ts'

/** A place in a cassette file: a key, and where it stands. Of most texts nobody asks the place. */
interface TextPlace {
  above: TextPlace | undefined
  key: string | number
}

/** A text of a cassette file, and its place. */
class CassetteText {
  readonly text: string
  readonly #place: TextPlace | undefined

  constructor(text: string, place: TextPlace | undefined) {
    this.text = text
    this.#place = place
  }

  /** A JSON pointer into the file. */
  get pointer(): string {
    return pointerOf(this.#place)
  }
}

function pointerOf(place: TextPlace | undefined): string {
  return place ? below(pointerOf(place.above), place.key) : ''
}

/** All that can be read in a cassette file. */
interface CassetteTexts {
  texts: CassetteText[]
  /** Texts that are read as one, one after the other, and the place of the body in which they stand. */
  split: Array<{ pointer: string; texts: readonly string[] }>
}

/** Keys that alone identify their values as credentials. */
const TELLING_KEY = /key|token|secret|pass|pwd|auth|cookie|credential|bearer|pat$/i

/** Adds a text at a place; `named` is the text with its key before it, if the key identifies it. */
type Add = (place: TextPlace | undefined, text: string, named?: string) => void

/** A cassette file, or a part of one with its exchanges. */
export type Exchanges = Pick<StoredCassette, 'exchanges'> & Partial<StoredCassette>

/**
 * Every text of a cassette file, including keys, the whole texts of its streams, and those in its files and in lists of
 * bytes. A text that an exchange repeats, as the events of a stream do, is given at its first place.
 *
 * @param decoded the decoded exchanges of the same cassette
 */
export const textsOfCassette: (stored: Exchanges, decoded: readonly Exchange[]) => CassetteTexts =
  rememberFor(({ exchanges, ...file }: Exchanges, decoded: readonly Exchange[]): CassetteTexts => {
    const { hashes: _, seal: __, ...head } = file
    const found: CassetteTexts = { texts: [], split: [] }
    const put: Add = (place, text, named = text) =>
      void found.texts.push(new CassetteText(named, place))
    const textsOf = textsOfFiles(decoded)
    addTexts(head as unknown as JsonValue, undefined, '', put, textsOf)
    const ofExchanges = { above: undefined, key: 'exchanges' }
    for (const [index, exchange] of exchanges.entries()) {
      const place = { above: ofExchanges, key: index }
      const { request, response } = decoded[index]?.wire ?? {}
      const asked = textsOfBody(request?.body)
      const answered = textsOfBody(response?.body)
      const ofRequest = placeOfBody(exchange.request, place, ['request'])
      const ofResponse = placeOfBody(exchange.response.sent, place, ['response', 'sent'])
      const bodies = [
        { body: ofRequest, ...asked },
        { body: ofResponse, ...answered },
      ]
      const sent = `${pointerOf(place)}/response/sent/`
      const seen = new Set<string>()
      const add: Add = (at, text, named = text) => {
        if (seen.has(named)) return
        seen.add(named)
        put(at, named)
      }
      // A piece of a streamed text can mean something else than the whole.
      const isPiece = (at: TextPlace | undefined, text: string): boolean =>
        answered.pieces.has(text) && !answered.wholes.has(text) && pointerOf(at).startsWith(sent)
      const addStored: Add = (at, text, named) => {
        if (!isPiece(at, text)) add(at, text, named)
      }
      addTexts(exchange as unknown as JsonValue, place, '', addStored, textsOf)
      if (request) add({ above: { above: place, key: 'request' }, key: 'url' }, request.url)
      for (const { body, wholes, pieces, bytes, split } of bodies) {
        if (pieces.size > 0) for (const text of wholes) add(body, text)
        for (const text of bytes) add(body, text)
        for (const texts of split) found.split.push({ pointer: pointerOf(body), texts })
      }
    }
    found.split.push(...textsOfSockets(exchanges, decoded))
    return found
  })

/** The texts at one place of the frames that a client sent one after the other on a socket: a server reads them as one. */
function textsOfSockets(
  exchanges: Exchanges['exchanges'],
  decoded: readonly Exchange[],
): CassetteTexts['split'] {
  const found: CassetteTexts['split'] = []
  const sockets = new Map<string, Map<string, { pointer: string; texts: string[] }>>()
  const followed = new Set(decoded.map(({ wire }) => wire && messageBefore(wire.request)))
  for (const [index, { id, wire }] of decoded.entries()) {
    if (!wire) continue
    const { body } = wire.request
    const after = messageBefore(wire.request)
    if (after === undefined && !followed.has(id)) continue
    const open = sockets.get(after ?? '') ?? new Map<string, { pointer: string; texts: string[] }>()
    sockets.set(id, open)
    const place = { above: { above: undefined, key: 'exchanges' }, key: index }
    const pointer = pointerOf(placeOfBody(exchanges[index]!.request, place, ['request']))
    const add = (value: JsonValue, place: string): void => {
      if (typeof value === 'string') {
        const known = open.get(place)
        if (known) return void known.texts.push(value)
        const fresh = { pointer, texts: [value] }
        open.set(place, fresh)
        found.push(fresh)
      } else if (Array.isArray(value)) for (const item of value) add(item, place)
      else if (isJsonObject(value))
        for (const [key, child] of Object.entries(value)) add(child, `${place}/${key}`)
    }
    add(body.kind === 'text' ? body.text : (jsonOf(body) ?? null), '')
  }
  return found.filter(({ texts }) => texts.length > 1)
}

/** All that can be read in a body beyond its single texts. */
export function textsOfBody(body: Body | undefined): {
  /** The texts of a body that streams, as they are read: whole. */
  wholes: Set<string>
  /** The pieces in which texts stream. */
  pieces: Set<string>
  /** The texts in lists of bytes. */
  bytes: string[]
  /** Texts that are read one after the other as one. */
  split: Array<readonly string[]>
} {
  const wholes = new Set<string>()
  const bytes: string[] = []
  const split: Array<readonly string[]> = []
  const pieces = new Set<string>()
  if (!body) return { wholes, pieces, bytes, split }
  readTexts(body, {
    piece(text, streams) {
      if (streams) pieces.add(text)
      else if (mayHoldBytes(text)) bytes.push(...bytesPrintedIn(text))
    },
    text: (text) => wholes.add(text),
    bytes: (said) => bytes.push(textsIn(Buffer.from(said, 'latin1'))),
    across: (texts) => split.push(texts),
  })
  return { wholes, pieces, bytes, split }
}

/** The place of the body of a request, or of what was sent. */
function placeOfBody(message: object = {}, place: TextPlace, keys: readonly string[]): TextPlace {
  const member = BODIES.find((name) => name in message)
  const all = member === undefined ? keys : [...keys, member]
  return all.reduce<TextPlace>((above, key) => ({ above, key }), place)
}

/** Members of a file whose lists are one text. */
const TEXTS = new Set(['text', 'reasoning', 'base64', '$join'])

function addTexts(
  value: JsonValue,
  place: TextPlace | undefined,
  name: string,
  add: Add,
  textsOf: (file: string) => string,
): void {
  if (typeof value === 'string') {
    add(place, value, TELLING_KEY.test(name) ? `${name}=${value}` : undefined)
  } else if (Array.isArray(value)) {
    if (TEXTS.has(name) && value.every((item) => typeof item === 'string'))
      return addTexts(value.join(''), place, name, add, textsOf)
    for (const [index, item] of value.entries())
      addTexts(item, { above: place, key: index }, name, add, textsOf)
  } else if (isJsonObject(value)) {
    for (const file of [value.$file, value.file])
      if (typeof file === 'string') add(place, textsOf(file))
    // A list of variables or headers names them beside their values.
    if (typeof value.name === 'string' && typeof value.value === 'string')
      add(place, value.value, `${value.name}=${value.value}`)
    for (const [key, child] of Object.entries(value)) {
      add(place, key)
      addTexts(child, { above: place, key }, key === '$each' ? name : key, add, textsOf)
    }
  }
}

/** Reads the texts of the files of a cassette, such as those in the metadata of its pictures. */
function textsOfFiles(decoded: readonly Exchange[]): (file: string) => string {
  let blobs: ReadonlyMap<string, Buffer> | undefined
  return remember((file) => {
    blobs ??= encodeExchanges(decoded).blobs
    const bytes = blobs.get(file)
    return bytes ? [textsOfPicture(bytes), textsIn(bytes)].filter(Boolean).join('\n') : ''
  })
}
