import { inflateSync } from 'node:zlib'
import { placesOf } from '../../json/text-span.ts'

/** Reads bytes of a picture; fewer at its end. */
type ReadBytes = (from: number, length: number) => Buffer

/** A picture in base64 digits in a text, and the texts in its metadata. */
interface PicturedText {
  start: number
  texts: string
}

/** A piece of the metadata of a picture: its place, with its length and checksum, and its content. */
interface Piece {
  start: number
  end: number
  bytes: Buffer
}

/** The beginnings of pictures in base64: PNG, JPEG and WebP. */
const PICTURES = ['iVBORw0KGgo', '/9j/', 'UklGR']

/** The most bytes of one piece of metadata, packed or not; JPEG holds at most 64 KB in one. */
const MAX_BYTES = 2 ** 22

/** The most pieces of a picture to go through. */
const MAX_PIECES = 100_000

/** The metadata of JPEG: EXIF and XMP, IPTC, and comments. */
const SEGMENTS = new Set([0xe1, 0xed, 0xfe])

// oxlint-disable-next-line no-control-regex -- asks for control characters
const BINARY = /[\u0000-\u0008\u000e-\u001f\ufffd]+/g

/** Text of two bytes for each character, as EXIF spells some of its comments. */
// oxlint-disable-next-line no-control-regex -- asks for control characters
const WIDE = /(?:[ -~]\0){8,}/g

/** Text in bytes, of one byte or two for each character. A shorter one is chance. */
// oxlint-disable-next-line no-control-regex -- asks for control characters
const READABLE = /[\t\n\r -~]{16,}|(?:[\t\n\r -~]\0){16,}[ -~]?/g

/** The texts in the metadata of a picture, one below the other; empty where it has none. */
export function textsOfPicture(bytes: Buffer): string {
  return textsFrom((from, length) => bytes.subarray(from, from + length))
}

/** The texts that stand in bytes, one below the other: in a sound, a document, a program. */
export function textsIn(bytes: Buffer): string {
  const found = bytes.toString('latin1').match(READABLE) ?? []
  const texts = found.map((text) => text.replaceAll('\0', ''))
  // The length that stands before a text can be a letter too.
  return texts.flatMap((text) => [text, text.slice(1), text.slice(2)]).join('\n')
}

/** The pictures in base64 in a text that have texts in their metadata. Decodes nothing but the metadata. */
export function picturesWithTexts(text: string): PicturedText[] {
  return PICTURES.flatMap((mark) => placesOf(mark, text)).flatMap(({ start }) => {
    // Amid other base64 it is no beginning.
    if (start > 0 && /[\w+/-]/.test(text[start - 1]!)) return []
    const texts = textsFrom((from, length) => {
      const group = Math.floor(from / 3)
      const digits = text.slice(start + 4 * group, start + 4 * Math.ceil((from + length) / 3))
      return Buffer.from(digits, 'base64').subarray(from - 3 * group, from - 3 * group + length)
    })
    return texts === '' ? [] : [{ start, texts }]
  })
}

/** A picture without its metadata and its length, which depends on them. */
export function withoutMetadata(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let at = bytes.toString('latin1', 0, 4) === 'RIFF' ? 8 : 0
  for (const { start, end } of piecesIn((from, length) => bytes.subarray(from, from + length))) {
    kept.push(bytes.subarray(at, start))
    at = end
  }
  return Buffer.concat([...kept, bytes.subarray(at)])
}

function piecesIn(read: ReadBytes): Iterable<Piece> {
  const head = read(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG')) return piecesOfPng(read)
  if (head.startsWith('\xff\xd8')) return piecesOfJpeg(read)
  return /^RIFF.{4}WEBP/s.test(head) ? piecesOfWebp(read) : []
}

function textsFrom(read: ReadBytes): string {
  const texts: string[] = []
  for (const { bytes } of piecesIn(read)) {
    texts.push(bytes.toString().replaceAll(BINARY, '\n').trim())
    if (bytes.includes(0))
      for (const [wide] of bytes.toString('latin1').matchAll(WIDE))
        texts.push(wide.replaceAll('\0', ''))
  }
  return texts.filter((text) => text !== '').join('\n')
}

function* piecesOfPng(read: ReadBytes): Generator<Piece> {
  for (let at = 8, count = 0; count < MAX_PIECES; count++) {
    const head = read(at, 8)
    if (head.length < 8) return
    const [length, type] = [head.readUInt32BE(), head.toString('latin1', 4)]
    const end = at + 12 + length
    if (type === 'IEND') return
    if (/^(?:eXIf|tEXt|zTXt|iTXt)$/.test(type)) {
      const data = read(at + 8, Math.min(length, MAX_BYTES))
      yield { start: at, end, bytes: type === 'eXIf' ? data : textOfPng(type, data) }
    }
    at = end
  }
}

/** A text of PNG with its keyword before it, as a variable with its name. */
function textOfPng(type: string, data: Buffer): Buffer {
  const named = data.indexOf(0)
  if (named < 0) return data
  const [keyword, rest] = [data.subarray(0, named), data.subarray(named + 1)]
  let text = rest
  if (type === 'zTXt') text = unpacked(rest.subarray(1))
  if (type === 'iTXt') {
    const language = rest.indexOf(0, 2)
    const begin = rest.indexOf(0, language + 1) + 1
    text = rest[0] === 1 ? unpacked(rest.subarray(begin)) : rest.subarray(begin)
  }
  return Buffer.concat([keyword, Buffer.from('='), text])
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch {
    return bytes
  }
}

function* piecesOfJpeg(read: ReadBytes): Generator<Piece> {
  for (let at = 2, count = 0; count < MAX_PIECES; count++) {
    const head = read(at, 4)
    const [mark, type] = head
    // Behind the start of the scan, the picture itself follows.
    if (head.length < 4 || mark !== 0xff || type === 0xda) return
    if (type === 0xff) {
      at++
      continue
    }
    const length = head.readUInt16BE(2)
    const end = at + 2 + length
    if (SEGMENTS.has(type!)) yield { start: at, end, bytes: read(at + 4, Math.max(0, length - 2)) }
    at = end
  }
}

function* piecesOfWebp(read: ReadBytes): Generator<Piece> {
  const end = read(0, 8).readUInt32LE(4) + 8
  for (let at = 12, count = 0; at < end && count < MAX_PIECES; count++) {
    const head = read(at, 8)
    if (head.length < 8) return
    const length = head.readUInt32LE(4)
    const next = at + 8 + length + (length % 2)
    if (/^(?:EXIF|XMP )/.test(head.toString('latin1')))
      yield { start: at, end: next, bytes: read(at + 8, Math.min(length, MAX_BYTES)) }
    at = next
  }
}
