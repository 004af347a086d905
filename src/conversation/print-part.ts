import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../json/json-value.ts'
import { fold, equal } from '../json/walk.ts'
import { type FilePart, isFilePart, type Part, type Tool, visitPart } from '../prompt/prompt.ts'
import { isPlainText } from '../providers/content.ts'
import type { Conversation } from './conversation.ts'
import { visitEntry, type EntryVisitor } from './entries.ts'
import type { Pictures } from './find-pictures.ts'

/** A part as text for people; a picture as the path of its file. */
export function printPart(part: Part, pictures: Pictures): string {
  return visitPart(part, {
    text: ({ text }) => text,
    reasoning: ({ text }) => text,
    tool_call: (call) => `${call.name} ${printValue(call.arguments)}`,
    tool_call_response: ({ result }) => printResult(result, pictures),
    blob: (blob) => printBlob(blob, pictures, printValue(restOf(blob))),
    uri: ({ uri }) => `[${uri}]`,
    other: ({ value }) => printOther(value, pictures),
  })
}

/** Parts one under the other. */
export function printParts(parts: readonly Part[], pictures: Pictures): string {
  return parts.map((part) => printPart(part, pictures)).join('\n')
}

/** A JSON value in words, every name and value of it: objects as `name: value`, lists one item a line. */
export function printValue(value: JsonValue, pictures?: Pictures): string {
  return fold(value, undefined, (one, _, print): string => {
    const inside = (part: JsonValue): string => shown(part, print(part, undefined))
    if (typeof one === 'string') return one
    if (typeof one !== 'object' || one === null) return String(one)
    if (isRawNumber(one)) return one.rawJSON
    if (Array.isArray(one)) return printList(one, inside)
    if (pictures && isFilePart(one)) return printBlob(one, pictures, print(restOf(one), undefined))
    return Object.entries(one)
      .map(([name, child]) => printField(name, inside(child)))
      .join('\n')
  })
}

/**
 * The result of a tool as text: a list of content by its parts, a text that is JSON, as tools often answer, like the
 * value in it.
 */
export function printResult(value: JsonValue, pictures: Pictures): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => (isPlainText(item) ? item.text : item))
    return printList(items, (item) => shown(item, printValue(item, pictures)))
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
function shown(value: JsonValue, text: string): string {
  return text === '' && typeof value === 'object' ? JSON.stringify(value) : text
}

function printField(name: string, value: string): string {
  const isBlock = value.includes('\n')
  return isBlock ? `${name}:\n  ${indentRest(value)}` : `${name}: ${value}`
}

function printList(items: JsonValue[], print: (item: JsonValue) => string): string {
  const isShort = items.every((item) => typeof item !== 'object' || item === null)
  const texts = items.map(print)
  if (isShort && texts.join(', ').length < 60 && !texts.some((text) => text.includes('\n')))
    return texts.join(', ')
  return texts.map((text) => `- ${indentRest(text)}`).join('\n')
}

/** A part that no dialect knows: its fields, with its type in front. */
function printOther(value: JsonValue, pictures: Pictures): string {
  if (!isJsonObject(value)) return printValue(value, pictures)
  const { type, ...rest } = value
  const fields = printValue(rest, pictures)
  return typeof type === 'string' ? `[${type}]${fields ? ` ${indentRest(fields)}` : ''}` : fields
}

function printBlob(
  { mimeType = 'file', hash, size }: FilePart,
  pictures: Pictures,
  rest: string,
): string {
  const name = pictures.get(hash)?.name
  const file = name ? `blobs/${name}` : `${size.toLocaleString('en')} bytes`
  return `[${mimeType}, ${file}]${rest && ` ${indentRest(rest)}`}`
}

/** The fields of a file beside those that every file has. */
function restOf({
  type: _type,
  mimeType: _mime,
  hash: _hash,
  size: _size,
  ...rest
}: FilePart): JsonObject {
  return rest as unknown as JsonObject
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** A call as a transcript shows it. */
interface ShownCall {
  mark: 'call' | 'text' | 'finished'
  /** The text of a call with which a model speaks. */
  text?: string
  /** The other parameters. */
  values: JsonValue
}

/** Reads a call. Recognizes those with which models speak and stop, by their names in the context format. */
export function readCall(name: string, parameters: JsonValue): ShownCall {
  if (name === 'finishRequest') return { mark: 'finished', values: parameters }
  if (name !== 'postMessage' || !isJsonObject(parameters))
    return { mark: 'call', values: parameters }
  const { text, ...values } = parameters
  return typeof text === 'string'
    ? { mark: 'text', text, values }
    : { mark: 'text', values: parameters }
}

/** Parameters in one line, `name: value, name: value`; `undefined` where one of them is no plain value. */
export function parametersOnLine(parameters: JsonValue): string | undefined {
  if (!isJsonObject(parameters)) return undefined
  const fields = Object.entries(parameters)
  if (!fields.every(([, value]) => isPlain(value))) return undefined
  return fields.map(([name, value]) => `${name}: ${print(value)}`).join(', ')
}

function isPlain(value: JsonValue): boolean {
  if (typeof value === 'string') return !/[\n\r]/.test(value)
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object' || item === null)
  return !isContainer(value)
}

/** Lists keep their brackets, and an empty text gets quotes. */
function print(value: JsonValue): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value)
}

/** The parameters and tools of a request. Each is present only if it differs from that of the request before. */
export interface Settings {
  exchange: string
  parameters?: JsonObject
  tools?: Tool[]
}

/** The settings of the requests of a conversation, where they are sent first and where they change. */
export function settingsIn({ steps }: Pick<Conversation, 'steps'>): Settings[] {
  let before: Required<Omit<Settings, 'exchange'>> = { parameters: {}, tools: [] }
  return steps.flatMap(({ exchange, prompt, dialect }) => {
    if (dialect === 'mcp') return []
    // The entries of an imported conversation show its times.
    const { timestamps: _, ...parameters } = prompt.parameters
    const now = { parameters, tools: prompt.tools }
    const changed = {
      ...(same(before.parameters, now.parameters) ? {} : { parameters }),
      ...(same(before.tools, now.tools) ? {} : { tools: now.tools }),
    }
    before = now
    return Object.keys(changed).length === 0 ? [] : [{ exchange: exchange.id, ...changed }]
  })
}

/** Writes a conversation entry by entry, and its settings where they are sent first and where they change. */
export function visitConversation<Written>(
  conversation: Conversation,
  visitor: EntryVisitor<Written> & { settings: (settings: Settings) => Written },
): Written[] {
  const settings = new Map(settingsIn(conversation).map((one) => [one.exchange, one]))
  return conversation.entries.flatMap((entry) => {
    const own = settings.get(entry.exchange)
    settings.delete(entry.exchange)
    return [...(own ? [visitor.settings(own)] : []), visitEntry(entry, visitor)]
  })
}

function same(one: object, other: object): boolean {
  return equal(one as JsonValue, other as JsonValue)
}

/** Parameters in one line, but for those that take several. */
export function printParameters(parameters: JsonObject): string {
  const fields = Object.entries(parameters).map(([name, value]) => printValue({ [name]: value }))
  const short = fields.filter((field) => !field.includes('\n')).join(' · ')
  const long = fields.filter((field) => field.includes('\n'))
  return [short || [], long].flat().join('\n') || 'no parameters any more'
}

/** The names of tools. */
export function nameTools(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ') || 'no tools any more'
}

/** Each tool with all of its fields. */
export function printTools(tools: readonly Tool[]): string {
  return printValue(tools as unknown as JsonValue) || nameTools(tools)
}
