import { loadPackage } from '../real/load-later.ts'
import { isSameButSpace, nearestLayout, writeJson, type JsonLayout } from '../json/layout.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../json/json-value.ts'
import { type StreamEvent, type StreamLayout, writeEvent } from './write/event.ts'

export { type StreamEvent, type StreamLayout, writeEvent } from './write/event.ts'

/** An event as an application reads it. */
export interface ParsedEvent {
  event?: string
  data: string
}

const DATA_LINE = /^data:/

const BLOCK_END = /\r\n\r\n|\n\n/g

/** Splits a stream into its events without losing a byte; the last one may be unfinished. */
export function splitEventStream(text: string): { events: StreamEvent[]; layout: StreamLayout } {
  const blocks = splitBlocks(text)
  const eol = blocks[0]?.endsWith('\r\n') ? '\r\n' : '\n'
  const layout: StreamLayout = { eol, json: commonLayout(blocks, eol) }
  return { events: blocks.map((block) => readEvent(block, layout)), layout }
}

/** Reads events the way every SDK does: comments dropped, data lines joined, the unfinished ignored. */
export function parseEventStream(text: string): ParsedEvent[] {
  const { createParser } = loadEventParser()
  const events: ParsedEvent[] = []
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) })
  parser.feed(text)
  return events
}

/** Loaded at the first stream that is read as applications do. */
export function loadEventParser(): typeof import('eventsource-parser') {
  return loadPackage('eventsource-parser') as typeof import('eventsource-parser')
}

/**
 * The fields of a block that is kept as text: its event, and its data with the lines joined. A block without an event,
 * or with several, has none.
 */
export function fieldsOf(block: string): { event?: string; data?: string } {
  const events = parseEventStream(/(\r\n|\n)\1$/.test(block) ? block : `${block}\n\n`)
  return events.length === 1 ? events[0]! : {}
}

/** The same event with other data; the rest of its block stays. */
export function withData(event: StreamEvent, data: JsonValue, layout: StreamLayout): StreamEvent {
  const broken = typeof data === 'string' && /[\r\n]/.test(data)
  if (typeof event !== 'string' && !broken) return { ...event, data }
  const lines = writeEvent(event, layout).split(/(?<=\n)/)
  const first = lines.findIndex((line) => DATA_LINE.test(line))
  const written = String(data)
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}${layout.eol}`)
  const others = lines.filter((line) => !DATA_LINE.test(line))
  return others.toSpliced(first, 0, ...written).join('')
}

function splitBlocks(text: string): string[] {
  const blocks: string[] = []
  let start = 0
  for (const match of text.matchAll(BLOCK_END)) {
    blocks.push(text.slice(start, match.index + match[0].length))
    start = match.index + match[0].length
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}

/** The layout of the longest JSON data, which shows best how the whole stream is spelled. */
function commonLayout(blocks: string[], eol: string): JsonLayout {
  let longest = ''
  for (const block of blocks) {
    const data = splitFields(block, eol)?.data ?? ''
    if (data.length > longest.length && /^[[{]/.test(data)) longest = data
  }
  const value = tryParseJson(longest)
  return (value !== undefined && nearestLayout(longest, value)) || {}
}

function readEvent(block: string, layout: StreamLayout): StreamEvent {
  const fields = splitFields(block, layout.eol)
  if (!fields) return block
  const value = tryParseJson(fields.data)
  const named = fields.event === undefined ? {} : { event: fields.event }
  // Anthropic pads its events with white space.
  const isSame = isJsonObject(value) && isSameButSpace(fields.data, writeJson(value, layout.json))
  if (isSame) return { ...named, data: value }
  return { ...named, data: fields.data }
}

/** The fields of a block that is exactly `event: …` (optional) and one `data: …` line. */
function splitFields(block: string, eol: string): { event?: string; data: string } | undefined {
  if (!block.endsWith(eol + eol)) return undefined
  const lines = block.slice(0, -2 * eol.length).split(eol)
  const data = lines.pop()
  if (!data?.startsWith('data: ') || lines.length > 1) return undefined
  if (lines.length === 0) return { data: data.slice('data: '.length) }
  if (!lines[0]!.startsWith('event: ')) return undefined
  return { event: lines[0]!.slice('event: '.length), data: data.slice('data: '.length) }
}
