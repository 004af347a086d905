import { sha256 } from './sha256.ts'
import { kindOfFile } from './file-kinds.ts'

/** A long base64 text, with its prefix in a data URL. */
export interface Base64Content {
  /** `data:image/png;base64,`, or empty for bare base64. */
  prefix: string
  base64: string
}

/** The same with the sha256 of its base64. */
export interface FoundBase64 extends Base64Content {
  hash: string
}

/** Shorter texts are cheaper to keep where they stand. */
const MIN_LENGTH = 1_024

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/
const NO_BASE64 = /[^A-Za-z0-9+/_-]/

/** Finds long inline binary content: a data URL, or base64 of at least 1,024 characters. */
export function findBase64(text: string): Base64Content | undefined {
  return mayBeBase64(text) ? readBase64(text) : undefined
}

function readBase64(text: string): Base64Content | undefined {
  const prefix = prefixOf(text)
  const base64 = prefix === '' ? text : text.slice(prefix.length)
  return isBase64(base64) ? { prefix, base64 } : undefined
}

/** Searches for a character that is no base64: to match all of a long text would backtrack for each character. */
function isBase64(text: string): boolean {
  const end = text.search(NO_BASE64)
  return end === -1 ? text !== '' : end > 0 && /^={1,2}$/.test(text.slice(end, end + 3))
}

/** The first characters rule out nearly every ordinary text. */
function mayBeBase64(text: string): boolean {
  if (text.length < MIN_LENGTH) return false
  const { length } = prefixOf(text)
  return isBase64(text.slice(length, length + 64).replace(/=+$/, ''))
}

function prefixOf(text: string): string {
  return text.startsWith('data:') ? (DATA_URL.exec(text.slice(0, 256))?.[0] ?? '') : ''
}

/** The most characters of base64 to remember; the cassette holds most of them anyhow. */
const MAX_REMEMBERED = 2 ** 26

const remembered = new Map<string, FoundBase64>()
let size = 0

/** Finds and hashes long base64. Remembers it, because an agent sends each screenshot in every turn. */
export function hashBase64(text: string): FoundBase64 | undefined {
  if (!mayBeBase64(text)) return undefined
  const known = remembered.get(text)
  if (known) return known
  const content = readBase64(text)
  if (!content) return undefined
  const found = { ...content, hash: sha256(content.base64) }
  size += text.length
  if (size > MAX_REMEMBERED) {
    remembered.clear()
    size = text.length
  }
  remembered.set(text, found)
  return found
}

/** The mark for a long base64 text, which only people read: the prompt hash is that of the text itself. */
export function markOfBase64({ prefix, hash }: FoundBase64): string {
  return `\u0000base64:${prefix}${hash}`
}

/** Whether a long base64 text is a picture, whose pixels can be compared. */
export function isPicture({ base64 }: FoundBase64): boolean {
  return kindOfFile(base64)?.picture !== undefined
}

/** The mark for a picture, which has only its kind; `undefined` for any other text. */
export function markOfPicture(text: string): string | undefined {
  const found = hashBase64(text)
  return found && isPicture(found) ? `\u0000picture:${found.prefix}` : undefined
}
