import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import { writeUnseen } from '../text/unseen.ts'
import { sha256 } from '../prompt/sha256.ts'
import { hashResponse } from './format/hashes.ts'
import { hashesAt } from './format/rules.ts'
import type { StoredCassette } from './format/stored.ts'

export { rawHashOf } from './format/hashes.ts'
export { hashesAt } from './format/rules.ts'

export type { StoredCassette, StoredExchange } from './format/stored.ts'

/** The version of the format that this release writes. */
export const FORMAT_VERSION = '2.0'

/** Values of at most this many characters stand on one line. */
const LINE = 80

/** Members of `sent` whose items arrived one after the other. */
const STREAMED = new Set(['events', 'lines', 'frames'])

/** Members that change with every recording: they stand on the last line but one. */
const LAST = new Set(['timestamp', 'oldest_answer', 'rules', 'hashes'])

/**
 * Prints a cassette the way it reads best in a pull request: short values on one line, the JSON of a response and each
 * event as they are sent, however long they are. Invisible characters are spelled `\\u202e`. A seal stands as it is.
 */
export function printCassette({ seal, ...unsealed }: StoredCassette): string {
  const text = printOpen(unsealed)
  return seal === undefined ? `${text}\n}\n` : `${text}, "seal": "${seal}"\n}\n`
}

/** As {@link printCassette}, with the seal of the text before it; without one if nothing in it was recorded. */
export function printSealed({ seal: _seal, ...unsealed }: StoredCassette): string {
  if (!unsealed.exchanges.some(({ response }) => response.sent)) return printCassette(unsealed)
  const sealed = `${printOpen(unsealed)}, `
  return `${sealed}"seal": "${sha256(sealed, 'base64url')}"\n}\n`
}

/**
 * Whether a cassette was edited after it was sealed. One that was only laid out in another way was not.
 *
 * @param text its file, which another program can have laid out before it sealed it
 */
export function isEdited({ seal, ...unsealed }: StoredCassette, text?: string): boolean {
  if (seal === undefined || seal === sealOf(unsealed)) return false
  return text === undefined || seal !== sealOfText(text)
}

/** The text of a file without what git and editors on Windows change in it. */
export function asUnix(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/** The seal of all that stands before it in a text. */
function sealOfText(text: string): string {
  const lines = asUnix(text)
  return sha256(lines.slice(0, lines.lastIndexOf('"seal"')), 'base64url')
}

/** The places of the exchanges whose response was edited after it was hashed. */
export function editedResponses(stored: StoredCassette): number[] {
  const { exchanges } = stored
  return [...exchanges.keys()].filter((at) => {
    const hash = hashesAt(stored, at)[2]
    return Boolean(hash) && hash !== hashResponse(exchanges[at]!.response)
  })
}

function sealOf(unsealed: Omit<StoredCassette, 'seal'>): string {
  return sha256(`${printOpen(unsealed)}, `, 'base64url')
}

/** The text of a cassette up to its seal. */
function printOpen(unsealed: Omit<StoredCassette, 'seal'>): string {
  const members = Object.entries(unsealed).filter(([, value]) => value !== undefined)
  const [first, last] = [false, true].map((isLast) =>
    members.filter(([key]) => LAST.has(key) === isLast),
  )
  const lines = first!.map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${print(value as JsonValue, '  ')}`,
  )
  const end = last!.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return spellUnseen(`{\n${[...lines, `  ${end.join(', ')}`].join(',\n')}`)
}

/** Escapes the invisible characters of JSON, which stand inside of strings only. */
export function spellUnseen(json: string): string {
  return writeUnseen(json, (unseen) =>
    Array.from(
      { length: unseen.length },
      (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

function print(value: JsonValue, indent: string): string {
  return fold(value, indent, (one, outer, inside): string => {
    if (!isContainer(one)) return JSON.stringify(one)
    const short = onOneLine(one)
    if (short !== undefined) return short
    const inner = `${outer}  `
    const items = Array.isArray(one)
      ? one.map((item) => inside(item, inner))
      : Object.entries(one)
          .filter(([, child]) => child !== undefined)
          .map(
            ([key, child]) =>
              `${JSON.stringify(key)}: ${key === 'sent' && isSent(child) ? printSent(child, inner) : inside(child, inner)}`,
          )
    const [open, close] = Array.isArray(one) ? '[]' : '{}'
    return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${outer}${close}`
  })
}

function isSent(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && 'status' in value && 'headers' in value
}

/** What is sent: a member a line, and an event a line. */
function printSent(sent: JsonObject, indent: string): string {
  const inner = `${indent}  `
  const members = Object.entries(sent).map(([key, value]) => {
    const name = `${JSON.stringify(key)}: `
    if (!STREAMED.has(key) || !Array.isArray(value) || value.length === 0)
      return name + JSON.stringify(value)
    const items = value.map((item) => `\n${inner}  ${JSON.stringify(item)}`)
    return `${name}[${items.join(',')}\n${inner}]`
  })
  return `{\n${inner}${members.join(`,\n${inner}`)}\n${indent}}`
}

function onOneLine(value: JsonValue[] | JsonObject): string | undefined {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  if (entries.length === 0) return Array.isArray(value) ? '[]' : '{}'
  if (Array.isArray(value) && value.every(isNumber)) return JSON.stringify(value)
  if (entries.length > LINE / 2 || !entries.every(([, item]) => isShort(item))) return undefined
  const texts = Array.isArray(value)
    ? value.map((item) => spelled(item))
    : entries.map(([key, item]) => `${JSON.stringify(key)}: ${spelled(item)}`)
  const line = texts.join(', ')
  if (line.length > LINE) return undefined
  return Array.isArray(value) ? `[${line}]` : `{ ${line} }`
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || isRawNumber(value)
}

/** A scalar, a reference to a value, or the places of a reference to items. */
function isShort(value: JsonValue): boolean {
  if (!isContainer(value)) return true
  return Array.isArray(value) ? value.every(isNumber) : isReference(value)
}

function isReference(value: JsonObject): boolean {
  return Object.keys(value).join() === '$' && !isContainer(value.$!)
}

function spelled(value: JsonValue): string {
  return isJsonObject(value) ? `{ "$": ${JSON.stringify(value.$)} }` : JSON.stringify(value)
}
