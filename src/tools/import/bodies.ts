import * as zlib from 'node:zlib'
import { CassetteError } from '../../errors.ts'
import { writeBody } from '../../wire/body.ts'
import { readBody } from '../../wire/read-body.ts'
import { readUtf8 } from '../../wire/utf8.ts'
import { brokenFile, type ForeignValue } from './foreign-value.ts'

/** What a body may become when it is unpacked: far above any answer, far below what a process can hold. */
const MOST_UNPACKED = 256 * 1024 * 1024

/** How a body was packed for its way. */
interface Packing {
  /** Whether the bytes begin as this packing does; absent where it begins with nothing of its own. */
  begins?(bytes: Uint8Array): boolean
  open(bytes: Uint8Array, limit: zlib.ZlibOptions): Uint8Array
}

const PACKINGS: readonly Packing[] = [
  { begins: isGzip, open: openGzip },
  {
    begins: ([one, two, three, four]) =>
      one === 0x28 && two === 0xb5 && three === 0x2f && four === 0xfd,
    open: openZstd,
  },
  {
    begins: ([one = 0, two = 0]) => (one & 0x8f) === 0x08 && ((one << 8) | two) % 31 === 0,
    open: zlib.inflateSync,
  },
  {
    open: (bytes, limit) => zlib.brotliDecompressSync(bytes, limit as zlib.BrotliOptions),
  },
  { open: zlib.inflateRawSync },
]

export function isGzip([one, two, three]: Uint8Array): boolean {
  return one === 0x1f && two === 0x8b && three === 8
}

/** Gives what there is of an answer that broke off. */
function openGzip(bytes: Uint8Array, limit: zlib.ZlibOptions): Uint8Array {
  const opened = zlib.gunzipSync(bytes, { ...limit, finishFlush: zlib.constants.Z_SYNC_FLUSH })
  return opened.length > 0 ? opened : zlib.gunzipSync(bytes, limit)
}

function openZstd(bytes: Uint8Array, limit: zlib.ZlibOptions): Uint8Array {
  const { zstdDecompressSync: open } = zlib as Partial<typeof zlib>
  if (open) return open(bytes, limit as zlib.ZstdOptions)
  throw new CassetteError(
    'unsupported-node',
    'A body is packed with zstd, which Node unpacks since 22.15. Run this with a newer one.',
  )
}

const MEDIA = /^(?:audio|image|video|font)\//i

/** Files that are packed themselves: what was asked for, and no packing of the way. */
const PACKED_FILE = /^application\/(?:(?:x-)?gzip|zstd|(?:x-)?tar|x-compressed)\b/i

/**
 * A body without the packing of its way. It is told by its bytes alone: tools unpack bodies and keep the header that
 * says how they were packed, or drop the header and keep the packing.
 *
 * @param most what it may become, in bytes
 */
export function unpack(
  bytes: Uint8Array,
  contentType: string,
  place: ForeignValue,
  most: number = MOST_UNPACKED,
): Uint8Array {
  if (bytes.length < 2 || PACKED_FILE.test(contentType)) return bytes
  for (const { begins, open } of PACKINGS) {
    if (begins && !begins(bytes)) continue
    // Without a beginning of its own, it is this packing if the bytes are no text and become one.
    if (!begins && (isReadable(bytes) || MEDIA.test(contentType))) continue
    const opened = tryOpen(open, bytes, place, most)
    if (opened && (begins || (opened.length > 0 && isReadable(opened)))) return opened
  }
  return bytes
}

function tryOpen(
  open: Packing['open'],
  bytes: Uint8Array,
  place: ForeignValue,
  most: number,
): Uint8Array | undefined {
  try {
    return open(bytes, { maxOutputLength: most })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw brokenFile(
        place.file,
        `at ${place.pointer}, a body unpacks to more than ${most / 1024 / 1024} MB`,
        error,
      )
    if (CassetteError.isInstance(error)) throw error
    // It only looked packed.
    return undefined
  }
}

function isReadable(bytes: Uint8Array): boolean {
  return readUtf8(bytes) !== undefined || readBody(bytes).kind === 'frames'
}

/** A stream of events that has another content type, or none. */
const BEGINS_AS_EVENTS = /^(?:(?:event|data|id|retry):|:[^\n]*\n)/

/** Cuts a stream at its events, its lines or its frames; anything else stays whole. No byte is lost. */
export function cutStream(bytes: Uint8Array, contentType: string): Uint8Array | Uint8Array[] {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200))
  const isEvents = BEGINS_AS_EVENTS.test(start.toString('latin1'))
  const body = readBody(bytes, isEvents ? 'text/event-stream' : contentType)
  const isStream = body.kind === 'events' || body.kind === 'lines' || body.kind === 'frames'
  return isStream ? writeBody(body) : bytes
}

const NOT_BASE64 = /[^\w+/\-=\s]/
const HEX = /^(?:[\da-f]{2})*$/i

/** The bytes of a text in base64, also of its form for addresses. */
export function fromBase64(text: string, place: ForeignValue): Uint8Array {
  if (NOT_BASE64.test(text)) throw place.wrong('base64')
  return Buffer.from(text, 'base64')
}

export function fromHex(text: string, place: ForeignValue): Uint8Array {
  if (!isHex(text)) throw place.wrong('hexadecimal digits')
  return Buffer.from(text, 'hex')
}

export function isHex(text: string): boolean {
  return HEX.test(text)
}

/** The bytes of a text as it was sent. Tools that know no bytes have written packed ones as one character each. */
export function bytesOfText(text: string): Uint8Array {
  // oxlint-disable-next-line no-control-regex -- asks whether every character is one byte
  const isBytes = text.startsWith('\u001f\u008b') && /^[\u0000-\u00ff]*$/.test(text)
  return Buffer.from(text, isBytes ? 'latin1' : 'utf8')
}

/** The characters of windows-1252 that have another number there. */
const OF_WINDOWS: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 32 }, (_, at) => {
    const byte = 0x80 + at
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]
  }),
)

/**
 * The bytes of a text without a charset, as they were sent. Chromium reads such a text as windows-1252, also a stream of
 * events, which is always UTF-8: `é` is then kept as `Ã©`. Each such sequence must be UTF-8 again, or nothing changes.
 */
export function asSentInUtf8(bytes: Uint8Array): Uint8Array {
  const text = readUtf8(bytes)
  // oxlint-disable-next-line no-control-regex -- what is ASCII alone is the same in both
  if (text === undefined || /^[\u0000-\u007f]*$/.test(text)) return bytes
  const sent = Array.from(
    text,
    (character) => OF_WINDOWS.get(character) ?? character.codePointAt(0)!,
  )
  if (sent.some((byte) => byte > 0xff)) return bytes
  const undone = Uint8Array.from(sent)
  return readUtf8(undone) === undefined ? bytes : undone
}

/** The bytes of JSON whose spelling is lost, in the spelling of `JSON.stringify`. */
export function bytesOfJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
