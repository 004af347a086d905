import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Completion, ToolCall } from '../prompt/completion.ts'
import type { Part } from '../prompt/prompt.ts'
import type { Field } from './fields.ts'
import { Remainder } from './kit/remainder.ts'

/** The types of plain text parts. */
const PLAIN_TEXT = new Set<Field>(['text', 'input_text', 'output_text'])

/** Reads one part of a content; `undefined` if the dialect does not know such a part. */
export type PartReader = (part: JsonObject, path: string, rest: Remainder) => Part | undefined

/** Reads the content of a message: a text, or an array of parts that stands at `path`. */
export function readContent(
  content: Field,
  path: string,
  rest: Remainder,
  readPart: PartReader,
): Part[] {
  if (content === undefined || content === null) return []
  const items = Array.isArray(content) ? content : [content]
  return items.map((item, index) => {
    if (typeof item === 'string') return { type: 'text', text: item }
    const part = isJsonObject(item) ? readPart(item, `${path}[${index}]`, rest) : undefined
    return part ?? { type: 'other', value: item }
  })
}

/** The parts of a content of which nothing else is kept. */
export function partsIn(content: Field, readPart: PartReader): Part[] {
  return readContent(content, '', new Remainder(), readPart)
}

/**
 * Reads the result of a tool. Texts and objects stay as they were sent; binary parts become their hash, and an array
 * of one plain text becomes that text.
 */
export function readResult(content: Field, readPart: PartReader): JsonValue {
  if (!Array.isArray(content)) return readResultPart(content ?? null, '', readPart)
  const items = content.map((item, index) => readResultPart(item, `[${index}]`, readPart))
  const [only] = items
  return items.length === 1 && isPlainText(only) ? only.text : items
}

function readResultPart(item: JsonValue, path: string, readPart: PartReader): JsonValue {
  const rest = new Remainder()
  const part = isJsonObject(item) ? readPart(item, path, rest) : undefined
  return part?.type === 'blob' ? { ...part, ...rest.extra } : item
}

/** Whether a part is a text without other fields. */
export function isPlainText(item: Field): item is { type: string; text: string } {
  if (!isJsonObject(item) || Object.keys(item).length > 2) return false
  return PLAIN_TEXT.has(item.type) && typeof item.text === 'string'
}

/** All text of the parts, with an empty line between texts that a thought or a call separates. */
export function textIn(parts: readonly Part[]): string {
  let text = ''
  let apart = false
  for (const part of parts) {
    if (part.type === 'text')
      text += (apart && text !== '' && part.text !== '' ? '\n\n' : '') + part.text
    apart = part.type !== 'text'
  }
  return text
}

/** Describes the files of an answer without text. Pieces of sound count as one file. */
export function filesIn(parts: readonly Part[]): string {
  const files: { type: string | undefined; size: number }[] = []
  for (const part of parts) {
    if (part.type !== 'blob') continue
    const { mimeType: type, size } = part
    const last = files.at(-1)
    if (last && last.type === type && type?.startsWith('audio/')) last.size += size
    else files.push({ type, size })
  }
  return files.map(({ type, size }) => describeFile(type, size)).join('\n')
}

/** Describes a file by its type and size. */
export function describeFile(type: string | undefined, size: number): string {
  return `[${type ?? 'file'}, ${size} bytes]`
}

/** All reasoning of the parts, or `undefined` where there is none. */
export function reasoningIn(parts: readonly Part[]): string | undefined {
  const thoughts = parts.flatMap((part) =>
    part.type === 'reasoning' && part.text ? part.text : [],
  )
  return thoughts.length > 0 ? thoughts.join('\n\n') : undefined
}

/** The tool calls among the parts. */
export function toolCallsIn(parts: readonly Part[]): ToolCall[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool_call') return []
    const { type: _, ...call } = part
    return call
  })
}

/** An answer made of parts, with the reason why it ended. */
export function completionOf(parts: readonly Part[], reason: Field): Completion {
  return {
    text: textIn(parts),
    reasoning: reasoningIn(parts),
    toolCalls: toolCallsIn(parts),
    finishReasons: reasonsOf(reason),
  }
}

/** The reasons why an answer ended: the one that the provider told, or none. */
export function reasonsOf(reason: Field): string[] {
  return typeof reason === 'string' ? [reason] : []
}
