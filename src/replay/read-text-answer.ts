import { layOut } from '../json/json-tokens.ts'
import type { JsonLayout } from '../json/layout.ts'
import { MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'

/** An answer as it is sent. */
export interface TextAnswer {
  status: number
  headers: Record<string, string>
  /** The bytes, each as a character: one text for each chunk. */
  chunks: string[]
}

/** The members of `sent` that this reads, as they are spelled. */
type Sent = Partial<
  Record<'status' | 'headers' | 'renewed' | 'named' | 'eol' | 'layout' | 'body', string>
> & {
  /** The items of a stream. */
  items?: string[]
  isLines?: boolean
}

/** What begins the response of an exchange. */
export const RESPONSE = '\n      "response": {\n'
/** What begins what is sent of a response. */
export const SENT = '\n        "sent": {\n'

/**
 * What an exchange answers, by the lines of its text; `undefined` where these alone do not tell it.
 *
 * @param exchange its text, in which each byte is a character
 */
export function readTextAnswer(exchange: string): TextAnswer | undefined {
  const response = onlyPlace(exchange, RESPONSE, 0)
  const start = response < 0 ? -1 : onlyPlace(exchange, SENT, response)
  if (start < 0 || MAY_BE_PLACEHOLDER.test(exchange.slice(start))) return undefined
  const sent = readSent(exchange, start + SENT.length)
  const status = Number(sent?.status)
  // Several cookies are several headers.
  if (
    !sent?.headers ||
    sent.headers.includes('"set-cookie"') ||
    !(status >= 200 && status < 300) ||
    hasUnseen(exchange, start)
  )
    return undefined
  const chunks = chunksOf(sent, sourcesOf(sent, exchange.slice(response, start)))
  return chunks && { status, headers: headersOf(sent.headers), chunks }
}

/** The place of a line that stands there once. */
function onlyPlace(text: string, line: string, from: number): number {
  const at = text.indexOf(line, from)
  return at < 0 || text.includes(line, at + 1) ? -1 : at
}

/** An escape that `JSON.stringify` does not write: of an invisible character, which was sent as it is. */
const UNSEEN = /\\u(?!00[01][\da-f])/

function hasUnseen(exchange: string, from: number): boolean {
  return exchange.includes('\\u', from) && UNSEEN.test(exchange.slice(from))
}

function readSent(text: string, start: number): Sent | undefined {
  const sent: Record<string, string> = {}
  let items: string[] | undefined
  let isLines = false
  for (let from = start, end: number; ; from = end + 1) {
    end = text.indexOf('\n', from)
    if (end < 0) end = text.length
    if (text.startsWith('        }', from)) return items ? { ...sent, items, isLines } : sent
    const name = text.slice(from + 11, text.indexOf('"', from + 11))
    if (!KNOWN.has(name) || name in sent) return undefined
    if (name !== 'events' && name !== 'lines') {
      sent[name] = text.slice(from + name.length + 14, endOfValue(text, end))
      continue
    }
    if (items) return undefined
    items = []
    isLines = name === 'lines'
    // An empty list stands on the line of its name.
    if (text.charCodeAt(end - 1) !== OPEN) return undefined
    for (from = end + 1; text.startsWith('            ', from); from = end + 1) {
      end = text.indexOf('\n', from)
      items.push(text.slice(from + 12, endOfValue(text, end)))
    }
    end = text.indexOf('\n', from)
    if (end < 0) return undefined
  }
}

const KNOWN = new Set([
  'status',
  'headers',
  'renewed',
  'named',
  'eol',
  'layout',
  'body',
  'events',
  'lines',
])

const COMMA = 44
const OPEN = 91

function endOfValue(text: string, end: number): number {
  return text.charCodeAt(end - 1) === COMMA ? end - 1 : end
}

/** The text of bytes that stand as characters. */
export function utf8Of(latin: string): string {
  return /[\x80-\xff]/.test(latin) ? Buffer.from(latin, 'latin1').toString() : latin
}

function headersOf(line: string): Record<string, string> {
  const headers = JSON.parse(utf8Of(line)) as Record<string, string | string[]>
  for (const name in headers) {
    const value = headers[name]!
    if (typeof value !== 'string') headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}

/** Finds the value of a source, as it is spelled; `undefined` where the text does not tell it. */
type ValueAt = (source: string) => string | undefined

function sourcesOf({ renewed = '[]' }: Sent, response: string): ValueAt {
  let items: string[] | undefined
  let text: string | undefined
  return (source) =>
    source === '"text"' ? (text ??= textOf(response)) : (items ??= itemsOf(renewed))[Number(source)]
}

function chunksOf(sent: Sent, valueAt: ValueAt): string[] | undefined {
  const { body, items, layout, named, eol = '"\\n"' } = sent
  if (body !== undefined) {
    const filled = items || body.includes('{"$each":') ? undefined : fill(body, valueAt)
    if (filled === undefined) return undefined
    if (layout === undefined) return [filled]
    const { ascii, end = '', ...spaces } = JSON.parse(layout) as JsonLayout
    return ascii ? undefined : [layOut(filled, spaces) + end]
  }
  if (layout !== undefined) return undefined
  const end = JSON.parse(eol) as string
  const chunks: string[] = []
  for (const item of items ?? []) {
    const read = sent.isLines ? readLine(item, end) : readEvent(item, end, named === 'true')
    if (!read) return undefined
    const { json, write } = read
    if (!read.isJson) {
      chunks.push(write(json))
      continue
    }
    const filled = fill(json, valueAt)
    const all = filled === undefined ? undefined : spread(filled)
    if (!all) return undefined
    for (const one of all) chunks.push(write(one))
  }
  return chunks
}

/** Markers that lead to other exchanges or to files, and keys that only look like one. */
const OTHER_MARKERS = /"\$(?:join|file|like|items|of|without)":|"\$\$/

const REFERENCE = /\{"\$":(\d+|"text")\}/

/** The items of a list of texts and numbers. */
const ITEM = /"(?:[^"\\]|\\.)*"|[^",]+/g

/** A line with the values to which it refers, as they are spelled. */
function fill(line: string, valueAt: ValueAt): string | undefined {
  if (!line.includes('"$')) return line
  if (OTHER_MARKERS.test(line)) return undefined
  if (!line.includes('{"$":')) return line
  const pieces = line.split(REFERENCE)
  let filled = pieces[0]!
  for (let at = 1; at < pieces.length; at += 2) {
    const value = valueAt(pieces[at]!)
    if (value === undefined) return undefined
    filled += value + pieces[at + 1]!
  }
  return filled.includes('{"$":') ? undefined : filled
}

/** The items of a list, as they are spelled; none where one has items of its own. */
function itemsOf(list: string): string[] {
  const inner = list.slice(1, -1)
  return /[[{]/.test(inner) ? [] : (inner.match(ITEM) ?? [])
}

/** The text of a response, as it is spelled; on lines of its own it is a list of texts. */
function textOf(response: string): string | undefined {
  const line = '\n        "text": '
  const at = onlyPlace(response, line, 0)
  if (at < 0) return undefined
  const start = at + line.length
  const end = response.indexOf('\n', start)
  const value = response.slice(start, endOfValue(response, end < 0 ? response.length : end))
  if (value.startsWith('"')) return UNSEEN.test(value) ? undefined : value
  const list = value === '[' ? response.slice(start, response.indexOf('\n        ]', start)) : value
  if (UNSEEN.test(list)) return undefined
  const texts = list.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return `"${texts.map((one) => one.slice(1, -1)).join('')}"`
}

/** An item of a stream. */
interface Item {
  json: string
  /** In a text that is no JSON, nothing is a marker. */
  isJson: boolean
  write: (json: string) => string
}

const OBJECT = 123
const STRING = 34

function readLine(item: string, eol: string): Item | undefined {
  switch (item.charCodeAt(0)) {
    case OBJECT:
      return { json: item, isJson: true, write: (json) => json + eol }
    case STRING:
      return { json: JSON.parse(item) as string, isJson: false, write: (text) => text }
    default:
      return undefined
  }
}

/** A named event whose data is an object. */
const NAMED = /^\["([^"\\]*)",(\{.*\})\]$/s

/** A named event whose data is a text, or an event as it was received. */
const TEXTS = /^\[("(?:[^"\\]|\\.)*")(?:,("(?:[^"\\]|\\.)*"))?\]$/

function readEvent(item: string, eol: string, isNamed: boolean): Item | undefined {
  const write = (name: string | undefined, data: string): string =>
    `${name === undefined ? '' : `event: ${name}${eol}`}data: ${data}${eol}${eol}`
  switch (item.charCodeAt(0)) {
    case OBJECT:
      return {
        json: item,
        isJson: true,
        write: (json) => write(isNamed ? typeOf(json) : undefined, json),
      }
    case STRING:
      return {
        json: JSON.parse(item) as string,
        isJson: false,
        write: (text) => write(undefined, text),
      }
    default: {
      const [, name, object] = NAMED.exec(item) ?? []
      if (object !== undefined)
        return { json: object, isJson: true, write: (json) => write(name, json) }
      const texts = TEXTS.test(item) ? (JSON.parse(item) as string[]) : []
      const [first, data] = texts
      if (first === undefined) return undefined
      return {
        json: data ?? first,
        isJson: false,
        write: data === undefined ? (text) => text : (text) => write(first, text),
      }
    }
  }
}

/** The type of an event, which is nearly always its first member. */
const TYPE = /^\{"type":"([^"\\]*)"/

function typeOf(json: string): string | undefined {
  const [, first] = TYPE.exec(json) ?? []
  if (first !== undefined) return first
  const { type } = JSON.parse(json) as { type?: unknown }
  return typeof type === 'string' ? type : undefined
}

const EACH = /\{"\$each":\[((?:"(?:[^"\\]|\\.)*"|[^"\]])*)\]\}/

function isScalar(item: string): boolean {
  const first = item.charCodeAt(0)
  return first !== OBJECT && first !== OPEN
}

/** The items for which one stands. */
function spread(json: string): string[] | undefined {
  if (!json.includes('{"$each":')) return [json]
  const pieces = json.split(EACH)
  const lists: string[][] = []
  for (let at = 1; at < pieces.length; at += 2) lists.push(pieces[at]!.match(ITEM) ?? [])
  const length = lists[0]?.length ?? 0
  // Objects and lists have commas of their own.
  const isEven = length > 0 && lists.every((list) => list.length === length && list.every(isScalar))
  if (!isEven || pieces.some((piece, at) => at % 2 === 0 && piece.includes('{"$each":')))
    return undefined
  return Array.from({ length }, (_, at) => {
    let item = pieces[0]!
    for (let list = 0; list < lists.length; list++)
      item += lists[list]![at]! + pieces[list * 2 + 2]!
    return item
  })
}
