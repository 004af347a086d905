import type { Exchange } from '../cassette/cassette.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { defined, stringOf, unlessEmpty } from '../providers/fields.ts'
import type { ContextEntry } from './context-file.ts'

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
export function entryContent(entry: ContextEntry): ContextContent {
  const beside = Object.fromEntries(Object.entries(entry).filter(([name]) => !ENTRY.has(name)))
  const content = entry.content as JsonValue
  if (!isJsonObject(content)) return defined({ text: String(content), extra: unlessEmpty(beside) })
  if (entry.role !== 'assistant') {
    const { userid, text, ...others } = content
    const extra = unlessEmpty({ ...others, ...beside })
    return defined({ text: stringOf(text) ?? '', userId: stringOf(userid), extra })
  }
  return readAnswer(content, beside)
}

/** The parameters of a call are in the field `parameters`, or beside `toolCall`: all other fields then, `text` too. */
function readAnswer(content: JsonObject, beside: JsonObject): ContextContent {
  const { toolCall, reasoning: given, result, ...rest } = content
  const { reason, ...others } = rest
  const isReason = given === undefined && typeof reason === 'string'
  const reasoning = isReason ? reason : given
  const said = { reasoning: stringOf(reasoning), result }
  const left = isReason ? others : rest
  if (typeof toolCall === 'string' && left.parameters === undefined)
    return defined({
      text: '',
      ...said,
      call: { name: toolCall, parameters: left },
      extra: unlessEmpty(beside),
    })
  const { text, parameters, ...unknown } = left
  const isCall = typeof toolCall === 'string' && isJsonObject(parameters)
  const call = isCall ? { name: toolCall, parameters } : undefined
  const extra = unlessEmpty({ ...unknown, ...beside })
  return defined({ text: stringOf(text) ?? '', ...said, call, extra })
}

/** The entries of which an exchange was made. */
interface ExchangeContext {
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

/** Date and time in ISO 8601, extended or basic, with a fraction and a zone in any of its spellings. */
const ISO_8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** Whether a text in ISO 8601 names its zone. */
export function hasZone(text: string): boolean {
  return ISO_8601.exec(text)?.[9] !== undefined
}

/**
 * The time of a text in ISO 8601, in milliseconds since 1970; NaN for any other text, and for a day that no calendar
 * has. A text without a zone is in that of this machine.
 */
export function readIsoTime(text: string): number {
  const found = ISO_8601.exec(text)
  if (!found) return NaN
  const [, year, , month, day, hour, minute = '00', second = '00', fraction = '0', zone = ''] =
    found
  const date = `${year}-${month}-${day}`
  if (Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date)) return NaN
  // A leap second counts as the one before it.
  const time = `${hour}:${minute}:${second === '60' ? '59' : second}.${fraction.slice(0, 3)}`
  return Date.parse(`${date}T${time}${spellZone(zone)}`)
}

/** A text in ISO 8601 as `Date` and other programs read it, too: unchanged where it is so already. */
export function readableTime(text: string): string {
  if (!Number.isNaN(Date.parse(text))) return text
  const time = readIsoTime(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** `+02` and `+0200` as `+02:00`. */
function spellZone(zone: string): string {
  return zone.length < 2
    ? zone.toUpperCase()
    : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}
