import type { Exchange } from '../../cassette/format/cassette.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { ContextEntry } from './context-entry.ts'

/** The content of a context entry, in whichever way it is written. */
export interface ContextContent {
  text: string
  userId?: string
  reasoning?: string
  call?: { name: string; parameters: JsonObject }
  result?: JsonValue
  /** Fields that the format does not define. */
  extra?: JsonObject
}

const ENTRY = new Set(['index', 'turn', 'timestamp', 'role', 'content'])

/** Reads the content of an entry. */
export function contentOf(entry: ContextEntry): ContextContent {
  const beside = Object.fromEntries(Object.entries(entry).filter(([name]) => !ENTRY.has(name)))
  const content = entry.content as JsonValue
  if (!isJsonObject(content)) return { text: String(content), ...filled(beside) }
  if (entry.role !== 'assistant') {
    const { userid, text, ...others } = content
    const user = typeof userid === 'string' ? { userId: userid } : {}
    return { text: textOf(text), ...user, ...filled({ ...others, ...beside }) }
  }
  return readAnswer(content, beside)
}

/** The parameters of a call are in the field `parameters`, or beside `toolCall`: all other fields then, `text` too. */
function readAnswer(content: JsonObject, beside: JsonObject): ContextContent {
  const { toolCall, reasoning: given, result, ...rest } = content
  const { reason, ...others } = rest
  const isReason = given === undefined && typeof reason === 'string'
  const reasoning = isReason ? reason : given
  const said = {
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    ...(result === undefined ? {} : { result }),
  }
  const left = isReason ? others : rest
  if (typeof toolCall === 'string' && left.parameters === undefined)
    return { text: '', ...said, call: { name: toolCall, parameters: left }, ...filled(beside) }
  const { text, parameters, ...unknown } = left
  const call =
    typeof toolCall === 'string' && isJsonObject(parameters)
      ? { call: { name: toolCall, parameters } }
      : {}
  return { text: textOf(text), ...said, ...call, ...filled({ ...unknown, ...beside }) }
}

/** The entries of which an exchange was made. */
export interface ExchangeContext {
  /** The entries since the answer before. */
  before: ContextEntry[]
  answer: ContextEntry
  /** The entries that have no answer yet. */
  after: ContextEntry[]
}

/** The entries of an exchange that was made of a context; `undefined` for all others. */
export function contextOf({ wire, prompt }: Exchange): ExchangeContext | undefined {
  const { context } = prompt.metadata
  if (wire || !isContext(context)) return undefined
  const entries = context as unknown as ContextEntry[]
  const at = entries.findLastIndex(({ role }) => role === 'assistant')
  return { before: entries.slice(0, at), answer: entries[at]!, after: entries.slice(at + 1) }
}

/** Whether a value is a list of entries with an answer. Some providers have a parameter named `context`, too. */
export function isContext(value: JsonValue | undefined): value is JsonValue[] {
  if (!Array.isArray(value) || !value.every(isEntry)) return false
  return value.some((entry) => (entry as JsonObject).role === 'assistant')
}

function isEntry(value: JsonValue): boolean {
  return (
    isJsonObject(value) && typeof value.role === 'string' && typeof value.timestamp === 'string'
  )
}

function filled(extra: JsonObject): { extra?: JsonObject } {
  return Object.keys(extra).length > 0 ? { extra } : {}
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
