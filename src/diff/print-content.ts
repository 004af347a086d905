import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import { fold, walk } from '../json/walk.ts'
import { type Message, type PartVisitor, type Tool, visitPart } from '../prompt/prompt.ts'
import type { Content } from './prompt-change.ts'
import { countOf } from '../text/count-of.ts'
import { keysOf } from '../prompt/json-key.ts'

/** The first character of a value with which the canonical form replaced another. */
const MARK = '\u0000'

/** The number of characters of a hash to print. */
const HASH_LENGTH = 12

/** A text that reads like another JSON value, and therefore needs its quotes. */
const LOOKS_LIKE_JSON = /^(?:|\s+|null|true|false|-?\d[\d.eE+-]*|[[{"(].*)$/s

/** The content before and after, as two texts that always differ. */
export function printPair(recorded: Content, after: Content): [string, string] {
  const before = inOrderOf(after, recorded)
  const print = areTexts(before, after) ? printJsonText : printExactType
  const [old, current] = [print(before), print(after)]
  // Cut hashes and escaped marks can hide what differs.
  return old === current ? [JSON.stringify(before), JSON.stringify(after)] : [old, current]
}

/** The content of a place, as text. */
export function printContent(content: Content): string {
  if (content.type === 'text') return printText(content.text)
  if (content.type === 'part') return visitPart(content.part, PART)
  if (content.type === 'message') return printMessage(content.message)
  if (content.type === 'tool') return printTool(content.tool)
  const { value } = content
  const isPlainText = typeof value === 'string' && !LOOKS_LIKE_JSON.test(value)
  return isPlainText ? printText(value) : printJson(value)
}

/** A JSON value on one line, with the marks of the canonical form in words. */
function printJson(value: JsonValue): string {
  return fold(value, undefined, (one, _, inside): string => {
    if (typeof one === 'string')
      return one.startsWith(MARK) ? printMark(one, JSON.stringify) : JSON.stringify(one)
    if (typeof one !== 'object' || one === null) return String(one)
    if (isRawNumber(one)) return one.rawJSON
    if (Array.isArray(one)) return `[${one.map((item) => inside(item, undefined)).join(', ')}]`
    const fields = keysOf(one).map(
      (key) => `${JSON.stringify(key)}: ${inside(one[key]!, undefined)}`,
    )
    return `{${fields.join(', ')}}`
  })
}

/** Leaves out the quotes of a text that is JSON, beside another text: they would escape each of its own. */
function printJsonText(content: Content): string {
  const isJson = content.type === 'value' && /^[[{]/.test(content.value as string)
  return isJson ? (content.value as string) : printContent(content)
}

/** Keeps the quotes of a text: only they tell it from another value. */
function printExactType(content: Content): string {
  return content.type === 'value' ? printJson(content.value) : printContent(content)
}

function areTexts(...contents: Content[]): boolean {
  return contents.every((content) => content.type === 'value' && typeof content.value === 'string')
}

function printText(text: string): string {
  return text.startsWith(MARK) ? printMark(text, (original) => original) : text
}

function printMark(text: string, printOriginal: (text: string) => string): string {
  // A text that began with the mark itself was escaped by one more.
  if (text.startsWith(MARK + MARK)) return printOriginal(text.slice(1))
  const [, name, value] = /^(\w+):([^\0]*)\0?$/.exec(text.slice(1)) ?? []
  if (name === undefined || value === undefined) return printOriginal(text)
  if (name === 'number') return value
  if (name !== 'base64') return `(${name} ${value})`
  const [prefix, hash] = [value.slice(0, -64), value.slice(-64)]
  const mimeType = /^data:([^;,]+)/.exec(prefix)?.[1]
  return `(${mimeType ?? 'base64'}, sha256 ${hash.slice(0, HASH_LENGTH)})`
}

function printMessage(message: Message): string {
  const lines = message.parts.map((part) => visitPart(part, PART))
  if (message.extra && keysOf(message.extra).length > 0) lines.push(printJson(message.extra))
  return lines.join('\n')
}

const PART: PartVisitor<string> = {
  text: ({ text }) => printText(text),
  reasoning: ({ text }) => `reasoning: ${printText(text)}`,
  tool_call: (call) => `call ${call.name} ${printJson(call.arguments)}`,
  tool_call_response: ({ result }) => `result: ${printContent({ type: 'value', value: result })}`,
  blob: ({ mimeType = 'unknown type', size, hash }) =>
    `${mimeType}, ${countOf(size, 'byte')}, sha256 ${hash.slice(0, HASH_LENGTH)}`,
  uri: ({ uri }) => uri,
  other: ({ value }) => printJson(value),
}

function printTool(tool: Tool): string {
  const { name: _, description, ...rest } = tool
  const lines = Object.entries(rest).map(([key, value]) => `${key}: ${printJson(value)}`)
  return [...(description ? [description] : []), ...lines].join('\n')
}

/**
 * A content with its keys in the order of another one, so that a line shows only what differs: cassettes store keys in
 * alphabetical order. Where the other has no such place, they come as their names first appear there. Properties of
 * schemas stay as they are.
 */
function inOrderOf(model: Content, content: Content): Content {
  const ranks = new Map<string, number>()
  for (const name of namesIn(model as unknown as JsonValue)) ranks.set(name, ranks.size)
  const told: Like = { like: model as unknown as JsonValue, isFixed: false }
  const ordered = fold<JsonValue, Like>(
    content as unknown as JsonValue,
    told,
    (value, { like, isFixed }, inside) => {
      if (Array.isArray(value)) {
        const items = Array.isArray(like) ? like : []
        return value.map((item, index): JsonValue =>
          inside(item, { like: items[index] ?? items.at(-1), isFixed: false }),
        )
      }
      if (!isJsonObject(value)) return value
      const fields = isJsonObject(like) ? like : {}
      const keys = isFixed ? keysOf(value) : keysInOrder(value, fields, ranks)
      // Without a prototype, a key named `__proto__` is a key like any other.
      const copy: JsonObject = Object.create(null)
      for (const key of keys) {
        const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
        copy[key] = inside(value[key]!, { like: inner, isFixed: isOrdered(key) })
      }
      return copy
    },
  )
  return ordered as unknown as Content
}

/** The value that one stands in the place of, and whether its keys stay in their order. */
interface Like {
  like: JsonValue | undefined
  isFixed: boolean
}

function keysInOrder(
  value: JsonObject,
  like: JsonObject,
  ranks: ReadonlyMap<string, number>,
): string[] {
  const known = keysOf(like).filter((key) => Object.hasOwn(value, key))
  const rankOf = (key: string): number => ranks.get(key) ?? ranks.size
  const others = keysOf(value).filter((key) => !Object.hasOwn(like, key))
  return [...known, ...others.sort((one, other) => rankOf(one) - rankOf(other))]
}

function namesIn(value: JsonValue): string[] {
  const names: string[] = []
  walk(value, (_, at) => {
    const key = at.at(-1)
    if (typeof key === 'string') names.push(key)
  })
  return names
}
