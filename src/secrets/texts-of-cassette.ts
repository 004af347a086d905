import { isContainer, isJsonObject, type JsonValue } from '../json/json-value.ts'
import { fold, walk } from '../json/walk.ts'
import type { Exchange } from '../cassette/cassette.ts'
import { encodeExchanges } from '../cassette/encode.ts'
import type { StoredCassette } from '../cassette/format.ts'
import { BODIES } from '../cassette/patterns.ts'
import { below } from '../json/json-pointer.ts'
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

/** Something in a cassette file, and its place. */
class Placed {
  readonly #place: TextPlace | undefined

  constructor(place: TextPlace | undefined) {
    this.#place = place
  }

  /** A JSON pointer into the file. */
  get pointer(): string {
    return pointerOf(this.#place)
  }
}

/** A text of a cassette file. */
class CassetteText extends Placed {
  readonly text: string

  constructor(text: string, place: TextPlace | undefined) {
    super(place)
    this.text = text
  }
}

/** Texts that are read as one, one after the other, and the place of the body in which they stand. */
class SplitText extends Placed {
  readonly texts: readonly string[]

  constructor(texts: readonly string[], place: TextPlace | undefined) {
    super(place)
    this.texts = texts
  }
}

function pointerOf(place: TextPlace | undefined): string {
  return place ? below(pointerOf(place.above), place.key) : ''
}

/** All that can be read in a cassette file. */
interface CassetteTexts {
  texts: CassetteText[]
  split: SplitText[]
}

/** Keys that alone identify their values as credentials. */
const TELLING_KEY = /key|token|secret|pass|pwd|auth|cookie|credential|bearer|pat$/i

/** Adds a text at a place; `named` is the text with its key before it, if the key identifies it. */
type Add = (place: TextPlace | undefined, text: string, named?: string) => void

/** A cassette file, or a part of one with its exchanges. */
export type Exchanges = Pick<StoredCassette, 'exchanges'> & Partial<StoredCassette>

/**
 * Every text of a cassette file, including keys, the whole texts of its streams, and those in its files and in lists of
 * bytes; each once, at its first place.
 *
 * @param decoded the decoded exchanges of the same cassette
 */
export const textsOfCassette: (stored: Exchanges, decoded: readonly Exchange[]) => CassetteTexts =
  rememberFor((stored: Exchanges, decoded: readonly Exchange[]): CassetteTexts => {
    const texts = new Map<string, CassetteText>()
    const add: Add = (place, text, named = text) => {
      if (!texts.has(named)) texts.set(named, new CassetteText(named, place))
    }
    const split = visitTexts(stored, decoded, () => add)
    return { texts: [...texts.values()], split }
  })

/** The same texts at their first places in each exchange. */
export function textsOfExchanges(stored: Exchanges, decoded: readonly Exchange[]): CassetteText[] {
  const texts: CassetteText[] = []
  visitTexts(stored, decoded, () => {
    const seen = new Set<string>()
    return (place, text, named = text) => {
      if (seen.has(named)) return
      seen.add(named)
      texts.push(new CassetteText(named, place))
    }
  })
  return texts
}

/**
 * Visits the texts of a cassette file.
 *
 * @param open begins an exchange, or what stands before them
 * @returns the texts that are read as one
 */
function visitTexts(
  { exchanges, ...file }: Exchanges,
  decoded: readonly Exchange[],
  open: () => Add,
): SplitText[] {
  const { hashes: _, seal: __, ...head } = file
  const found: SplitText[] = []
  const textsOf = textsOfFiles(decoded)
  addTexts(head as unknown as JsonValue, undefined, '', open(), textsOf)
  const ofExchanges = { above: undefined, key: 'exchanges' }
  for (const [index, exchange] of exchanges.entries()) {
    const add = open()
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
    // A piece of a streamed text can mean something else than the whole.
    const isPiece = (at: TextPlace | undefined, text: string): boolean =>
      answered.pieces.has(text) &&
      !answered.wholes.has(text) &&
      pointerOf(at).startsWith(`${pointerOf(place)}/response/sent/`)
    const addStored: Add = (at, text, named) => {
      if (!isPiece(at, text)) add(at, text, named)
    }
    addTexts(exchange as unknown as JsonValue, place, '', addStored, textsOf)
    if (request) add({ above: { above: place, key: 'request' }, key: 'url' }, request.url)
    for (const { body, wholes, pieces, bytes, split } of bodies) {
      if (pieces.size > 0) for (const text of wholes) add(body, text)
      for (const text of bytes) add(body, text)
      for (const texts of split) found.push(new SplitText(texts, body))
    }
  }
  return [...found, ...textsOfSockets(exchanges, decoded)]
}

/** The texts at one place of the frames that a client sent one after the other on a socket: a server reads them as one. */
function textsOfSockets(
  exchanges: Exchanges['exchanges'],
  decoded: readonly Exchange[],
): SplitText[] {
  const found: Array<{ place: TextPlace; texts: string[] }> = []
  const sockets = new Map<string, Map<string, { place: TextPlace; texts: string[] }>>()
  const followed = new Set(decoded.map(({ wire }) => wire && messageBefore(wire.request)))
  for (const [index, { id, wire }] of decoded.entries()) {
    if (!wire) continue
    const { body } = wire.request
    const after = messageBefore(wire.request)
    if (after === undefined && !followed.has(id)) continue
    const open =
      sockets.get(after ?? '') ?? new Map<string, { place: TextPlace; texts: string[] }>()
    sockets.set(id, open)
    const exchange = { above: { above: undefined, key: 'exchanges' }, key: index }
    const place = placeOfBody(exchanges[index]!.request, exchange, ['request'])
    walk(body.kind === 'text' ? body.text : (jsonOf(body) ?? null), (value, at) => {
      if (typeof value !== 'string') return
      // The places in lists do not tell texts apart.
      const path = at.filter((key) => typeof key === 'string').join('/')
      const earlier = open.get(path)
      if (earlier) return void earlier.texts.push(value)
      const fresh = { place, texts: [value] }
      open.set(path, fresh)
      found.push(fresh)
    })
  }
  return found
    .filter(({ texts }) => texts.length > 1)
    .map(({ texts, place }) => new SplitText(texts, place))
}

/** All that can be read in a body beyond its single texts. */
interface BodyTexts {
  /** The texts of a body that streams, as they are read: whole. */
  wholes: ReadonlySet<string>
  /** The pieces in which texts stream. */
  pieces: ReadonlySet<string>
  /** The texts in lists of bytes. */
  bytes: readonly string[]
  /** Texts that are read one after the other as one. */
  split: ReadonlyArray<readonly string[]>
}

const NO_TEXTS: BodyTexts = { wholes: new Set(), pieces: new Set(), bytes: [], split: [] }

const known = new WeakMap<object, BodyTexts>()

export function textsOfBody(body: Body | undefined): BodyTexts {
  if (!body) return NO_TEXTS
  // What is stored has another layout than what arrived, and the same value.
  const key = body.kind === 'json' && isContainer(body.value) ? body.value : body
  let texts = known.get(key)
  if (!texts) known.set(key, (texts = readTextsOf(body)))
  return texts
}

function readTextsOf(body: Body): BodyTexts {
  const wholes = new Set<string>()
  const bytes: string[] = []
  const split: Array<readonly string[]> = []
  const pieces = new Set<string>()
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
  fold(value, { at: place, field: name }, (one, { at, field }, inside): void => {
    if (typeof one === 'string') {
      add(at, one, TELLING_KEY.test(field) ? `${field}=${one}` : undefined)
    } else if (Array.isArray(one)) {
      if (TEXTS.has(field) && one.every((item) => typeof item === 'string'))
        return inside(one.join(''), { at, field })
      for (const [index, item] of one.entries())
        inside(item, { at: { above: at, key: index }, field })
    } else if (isJsonObject(one)) {
      for (const file of [one.$file, one.file]) if (typeof file === 'string') add(at, textsOf(file))
      // A list of variables or headers names them beside their values.
      if (typeof one.name === 'string' && typeof one.value === 'string')
        add(at, one.value, `${one.name}=${one.value}`)
      for (const [key, child] of Object.entries(one)) {
        add(at, key)
        inside(child, { at: { above: at, key }, field: key === '$each' ? field : key })
      }
    }
  })
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
