import type { Invalidation } from '../../config/why-invalid.ts'
import { isJsonObject, isRawNumber, type JsonValue } from '../../json/json-value.ts'
import { hashFile, withFileHash } from './file-hash.ts'
import type { StoredCassette } from './format.ts'
import { INLINE_VERSION, OLDER_VERSION } from './patterns.ts'
import { writeUnseen } from '../../json/unseen.ts'

/** Values of at most this many characters stand on one line. */
const LINE = 80

/** Fields whose items arrived one after the other. */
const STREAMED = new Set(['$events', '$lines', '$frames'])

const OLD_LAYOUT: readonly string[] = [OLDER_VERSION, INLINE_VERSION]

/** Fields of dates and hashes, which change with every recording. */
const DATES = new Set(['timestamp', 'oldest_answer', 'file_hash', 'hashes'])

/**
 * Prints a cassette the way it reads best in a pull request: short values on one line, long ones broken up, the
 * events, lines and frames of a stream one to a line however long they are. Invisible characters are spelled
 * `\\u202e`.
 */
export function printCassette(value: unknown): string {
  return spellUnseen(printFile(value as JsonValue)) + '\n'
}

/** Prints a cassette with a mark as invalid, or without one. */
export function printMarked(stored: StoredCassette, invalid: Invalidation | undefined): string {
  const { exchanges, invalid: _, ...head } = stored
  return printOther(stored, { ...head, ...(invalid ? { invalid } : {}), exchanges })
}

/** Prints a cassette under the name of another test. */
export function printRenamed(stored: StoredCassette, id: string, schema: string): string {
  const $schema = stored.$schema === undefined ? {} : { $schema: schema }
  return printOther(stored, { ...stored, ...$schema, conversation_id: id })
}

/** Prints a file with another head. */
function printOther(stored: StoredCassette, other: StoredCassette): string {
  // An edit by hand has to show in the other file too.
  const isWhole = stored.file_hash === undefined || stored.file_hash === hashFile(stored)
  return printCassette(isWhole ? withFileHash(other) : other)
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

/** Prints the fields that change with every recording on one line of the file. */
function printFile(file: JsonValue): string {
  if (!isJsonObject(file) || OLD_LAYOUT.includes(String(file.version))) return print(file, '', '')
  let text = ''
  let before = ''
  for (const [key, item] of entriesOf(file)) {
    const isBeside = DATES.has(key) && DATES.has(before)
    text += text === '' ? '{\n  ' : isBeside ? ', ' : ',\n  '
    text += `${JSON.stringify(key)}: ${DATES.has(key) ? JSON.stringify(item) : print(item, '  ', key)}`
    before = key
  }
  return text === '' ? '{}' : `${text}\n}`
}

function print(value: JsonValue, indent: string, field: string): string {
  if (typeof value !== 'object' || value === null || isRawNumber(value))
    return JSON.stringify(value)
  const short = printOnOneLine(value, field)
  if (short !== undefined) return short
  const inner = indent + '  '
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map((item) => (STREAMED.has(field) ? JSON.stringify(item) : print(item, inner, '')))
    : entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, inner, key)}`)
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`
}

function printOnOneLine(
  value: JsonValue[] | Record<string, JsonValue>,
  field: string,
): string | undefined {
  const items = Object.values(value).filter((item) => item !== undefined)
  if (items.length === 0) return Array.isArray(value) ? '[]' : '{}'
  if (STREAMED.has(field)) return undefined
  if (Array.isArray(value) && items.every(isNumber)) return JSON.stringify(value)
  if (items.length > LINE / 2 || !items.every(isScalar)) return undefined
  const texts = Array.isArray(value)
    ? value.map((item) => JSON.stringify(item))
    : entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
  const line = texts.join(', ')
  if (line.length > LINE) return undefined
  return Array.isArray(value) ? `[${line}]` : `{ ${line} }`
}

function entriesOf(value: Record<string, JsonValue>): Array<[string, JsonValue]> {
  return Object.entries(value).filter(([, item]) => item !== undefined)
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || isRawNumber(value)
}

function isScalar(value: JsonValue): boolean {
  return !Array.isArray(value) && !isJsonObject(value)
}
