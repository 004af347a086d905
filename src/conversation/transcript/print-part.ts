import { isRawNumber, tryParseJson, type JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import type { Pictures } from './pictures.ts'

/** A part as a person reads it; pictures as the file in which they lie. */
export function printPart(part: Part, pictures: Pictures): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `${part.name} ${printValue(part.arguments)}`
    case 'tool_call_response':
      return printValue(part.result, pictures)
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

/** A JSON value in words: texts as they are, objects as `name: value`, lists one item a line. */
export function printValue(value: JsonValue, pictures?: Pictures): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (isRawNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return printList(value, pictures)
  if (value.type === 'blob' && typeof value.hash === 'string' && pictures)
    return printBlob(value as never, pictures)
  if (typeof value.text === 'string' && isPlainText(value.type)) return value.text
  return Object.entries(value)
    .map(([name, child]) => printField(name, printValue(child, pictures)))
    .join('\n')
}

/** A text that is JSON, as tools like to answer, read like the value that it spells. */
export function printResult(value: JsonValue, pictures: Pictures): string {
  const spelled =
    typeof value === 'string' && /^\s*[[{]/.test(value) ? tryParseJson(value) : undefined
  return printValue(spelled ?? value, pictures)
}

function printField(name: string, value: string): string {
  const isBlock = value.includes('\n')
  return isBlock ? `${name}:\n  ${indentRest(value)}` : `${name}: ${value}`
}

function printList(items: JsonValue[], pictures?: Pictures): string {
  const isShort = items.every((item) => typeof item !== 'object' || item === null)
  const texts = items.map((item) => printValue(item, pictures))
  if (isShort && texts.join(', ').length < 60 && !texts.some((text) => text.includes('\n')))
    return texts.join(', ')
  return texts.map((text) => `- ${indentRest(text)}`).join('\n')
}

/** The items of a part that no dialect knows, with its type in front. */
function printOther(value: JsonValue, pictures: Pictures): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawNumber(value))
    return printValue(value, pictures)
  const { type, ...rest } = value
  const fields = printValue(rest, pictures)
  return typeof type === 'string' ? `[${type}]${fields ? ` ${indentRest(fields)}` : ''}` : fields
}

function printBlob(part: Part & { type: 'blob' }, pictures: Pictures): string {
  const name = pictures.get(part.hash)?.name
  const size = part.size.toLocaleString('en')
  const type = part.mimeType ?? 'file'
  return name ? `[${type}, blobs/${name}]` : `[${type}, ${size} bytes]`
}

function isPlainText(type: JsonValue | undefined): boolean {
  return type === undefined || type === 'text' || type === 'input_text' || type === 'output_text'
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
