import type * as z from 'zod/mini'
import { isContainer, isJsonObject, isRawNumber, type JsonValue } from '../json/json-value.ts'
import { writeUnseen } from '../text/unseen.ts'
import type { cassetteSchema } from './format/schema.ts'

/** The version of the format that this release writes. It reads every `1.x`. */
export const FORMAT_VERSION = '1.3'

/** The content of a cassette file, before its references are resolved. */
export type StoredCassette = z.infer<typeof cassetteSchema>
export type StoredExchange = StoredCassette['exchanges'][number]

/** Values of at most this many characters stand on one line. */
const LINE = 80

/** Fields whose items arrived one after the other. */
const STREAMED = new Set(['$events', '$lines', '$frames'])

/**
 * Fields of dates and hashes, which change with every recording, on one line: each hash covers a whole prompt, so that
 * a word at the beginning touches every exchange after it.
 */
const DATES = new Set(['timestamp', 'oldest_answer', 'file_hash', 'hashes'])

/**
 * Prints a cassette the way it reads best in a pull request: short values on one line, long ones broken up, the
 * events, lines and frames of a stream one to a line however long they are. Invisible characters are spelled
 * `\\u202e`.
 */
export function printCassette(value: unknown): string {
  return spellUnseen(printFile(value as JsonValue)) + '\n'
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
  if (!isJsonObject(file)) return print(file, '', '')
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
  if (!isContainer(value)) return JSON.stringify(value)
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
