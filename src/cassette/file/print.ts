import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { spellUnseen } from '../format.ts'
import { sha256Base64url } from './hashes.ts'
import type { StoredFile } from './stored.ts'

/** Values of at most this many characters stand on one line. */
const LINE = 80

/** Members of `sent` whose items arrived one after the other. */
const STREAMED = new Set(['events', 'lines', 'frames'])

/** Members that change with every recording: they stand on the last line but one. */
const LAST = new Set(['timestamp', 'oldest_answer', 'rules', 'hashes', 'seal'])

/**
 * Prints a file the way it reads best in a pull request, and seals it: short values on one line, the JSON of a response
 * and each event as they are sent, however long they are. Invisible characters are spelled `\\u202e`.
 */
export function printFile(stored: StoredFile): string {
  const { seal: _, ...file } = stored
  const members = Object.entries(file).filter(([, value]) => value !== undefined)
  const [first, last] = [false, true].map((isLast) =>
    members.filter(([key]) => LAST.has(key) === isLast),
  )
  const lines = first!.map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${print(value as JsonValue, '  ')}`,
  )
  const end = last!.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  const text = spellUnseen(`{\n${[...lines, `  ${end.join(', ')}`].join(',\n')}`)
  if (!file.exchanges.some(({ response }) => response.sent)) return `${text}\n}\n`
  const sealed = `${text}, `
  return `${sealed}"seal": "${sha256Base64url(sealed)}"\n}\n`
}

function print(value: JsonValue, indent: string): string {
  if (!isContainer(value)) return JSON.stringify(value)
  const short = onOneLine(value)
  if (short !== undefined) return short
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => print(item, inner))
    : Object.entries(value)
        .filter(([, child]) => child !== undefined)
        .map(
          ([key, child]) =>
            `${JSON.stringify(key)}: ${key === 'sent' && isSent(child) ? printSent(child, inner) : print(child, inner)}`,
        )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`
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

/** A scalar, or a reference. */
function isShort(value: JsonValue): boolean {
  return !isContainer(value) || (isJsonObject(value) && Object.keys(value)[0] === '$')
}

function spelled(value: JsonValue): string {
  return isJsonObject(value) ? `{ "$": ${JSON.stringify(value.$)} }` : JSON.stringify(value)
}
