import type { JsonValue } from '../../json/json-value.ts'
import { type JsonLayout, writeJson } from '../../json/layout.ts'

/**
 * One event of a server-sent event stream. JSON data is kept as a value; a block that is not
 * spelled like the others (comments, several data lines) is kept as the text it was.
 */
export type StreamEvent = string | { event?: string; data: JsonValue }

/** The common spelling of the events, or the JSON lines, of one stream. */
export interface StreamLayout {
  /** Ends every line: `\n`, or `\r\n` as Gemini writes. */
  eol: string
  /** The spelling of the data of every event, or of every line. */
  json: JsonLayout
}

/** The text of one event, exactly as it was received. */
export function writeEvent(event: StreamEvent, { eol, json }: StreamLayout): string {
  if (typeof event === 'string') return event
  const name = event.event === undefined ? '' : `event: ${event.event}${eol}`
  return `${name}data: ${writeData(event.data, json)}${eol}${eol}`
}

function writeData(data: JsonValue, json: JsonLayout): string {
  return typeof data === 'string' ? data : writeJson(data, json)
}
