import { isPlainText } from '../../dialects/kit/content.ts'
import {
  isRawNumber,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import type { Pictures } from './find-pictures.ts'

type Blob = Part & { type: 'blob' }

const HASH = /^[0-9a-f]{64}$/

/** A part as text for people; a picture as the path of its file. */
export function printPart(part: Part, pictures: Pictures): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `${part.name} ${printValue(part.arguments)}`
    case 'tool_call_response':
      return printResult(part.result, pictures)
    case 'blob':
      return printBlob(part, pictures)
    case 'uri':
      return `[${part.uri}]`
    case 'other':
      return printOther(part.value, pictures)
  }
}

/** Parts one under the other. */
export function printParts(parts: readonly Part[], pictures: Pictures): string {
  return parts.map((part) => printPart(part, pictures)).join('\n')
}

/** A JSON value in words, every name and value of it: objects as `name: value`, lists one item a line. */
export function printValue(value: JsonValue, pictures?: Pictures): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (isRawNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return printList(value, pictures)
  if (pictures && isBlob(value)) return printBlob(value, pictures)
  return Object.entries(value)
    .map(([name, child]) => printField(name, printInside(child, pictures)))
    .join('\n')
}

/**
 * The result of a tool as text: a list of content by its parts, a text that is JSON, as tools often answer, like the
 * value in it.
 */
export function printResult(value: JsonValue, pictures: Pictures): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => (isPlainText(item) ? item.text : item))
    return printList(items, pictures)
  }
  const spelled =
    typeof value === 'string' && /^\s*[[{]/.test(value) ? tryParseJson(value) : undefined
  return printValue(spelled ?? value, pictures)
}

/** The fields beside the parts of a message, such as the hint for a cache. */
export function printExtra(extra: JsonObject | undefined): string {
  return extra ? printValue(extra) : ''
}

/** A value inside another one. An empty list or object is written as JSON, so that it is visible. */
function printInside(value: JsonValue, pictures?: Pictures): string {
  const text = printValue(value, pictures)
  return text === '' && typeof value === 'object' ? JSON.stringify(value) : text
}

function printField(name: string, value: string): string {
  const isBlock = value.includes('\n')
  return isBlock ? `${name}:\n  ${indentRest(value)}` : `${name}: ${value}`
}

function printList(items: JsonValue[], pictures?: Pictures): string {
  const isShort = items.every((item) => typeof item !== 'object' || item === null)
  const texts = items.map((item) => printInside(item, pictures))
  if (isShort && texts.join(', ').length < 60 && !texts.some((text) => text.includes('\n')))
    return texts.join(', ')
  return texts.map((text) => `- ${indentRest(text)}`).join('\n')
}

/** A part that no dialect knows: its fields, with its type in front. */
function printOther(value: JsonValue, pictures: Pictures): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawNumber(value))
    return printValue(value, pictures)
  const { type, ...rest } = value
  const fields = printValue(rest, pictures)
  return typeof type === 'string' ? `[${type}]${fields ? ` ${indentRest(fields)}` : ''}` : fields
}

/** Whether a value is a file that a dialect read. Its size and hash tell it from the data of a tool. */
function isBlob(value: JsonObject): value is JsonObject & Blob {
  return value.type === 'blob' && typeof value.size === 'number' && HASH.test(String(value.hash))
}

function printBlob({ mimeType = 'file', hash, size, ...others }: Blob, pictures: Pictures): string {
  const rest = Object.entries(others).filter(([name]) => name !== 'type')
  const name = pictures.get(hash)?.name
  const file = name ? `blobs/${name}` : `${size.toLocaleString('en')} bytes`
  const fields = printValue(Object.fromEntries(rest) as JsonObject)
  return `[${mimeType}, ${file}]${fields && ` ${indentRest(fields)}`}`
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
