import { nearestLayout, writeJson, type JsonLayout } from '../json/layout.ts'
import { isJsonObject, tryParseJson, tryReadJson, type JsonObject } from '../json/json-value.ts'
import type { StreamLayout } from './write/event.ts'

/**
 * One line of newline-delimited JSON. A line that is no object or is not spelled like the others is
 * kept as the text it was, with its line end.
 */
export type JsonLine = string | JsonObject

/** A body of newline-delimited JSON. */
export interface JsonLines {
  lines: JsonLine[]
  layout: StreamLayout
}

/** Splits a text into its lines without losing a byte; the last one may be unfinished. */
export function splitJsonLines(text: string): JsonLines {
  const lines = text.split(/(?<=\n)/)
  const eol = lines[0]!.endsWith('\r\n') ? '\r\n' : '\n'
  const layout = { eol, json: commonLayout(lines, eol) }
  return { lines: lines.map((line) => readLine(line, layout)), layout }
}

/**
 * Reads a text of two lines or more whose every line is a JSON object; any other is `undefined`. The
 * last line may lack its end.
 */
export function findJsonLines(text: string): JsonLines | undefined {
  // Two cheap checks rule out nearly every other text.
  if (!text.startsWith('{') || !/\}\r?\n\{/.test(text)) return undefined
  const found = splitJsonLines(text)
  return found.lines.every(isReadable) ? found : undefined
}

/** Whether a line is a JSON object without a key twice, however it is spelled. */
function isReadable(line: JsonLine): boolean {
  if (typeof line !== 'string') return true
  const read = tryReadJson(line)
  return isJsonObject(read?.value) && !read.isTwice
}

/** The text of one line, exactly as it was received. */
export function writeJsonLine(line: JsonLine, { eol, json }: StreamLayout): string {
  return typeof line === 'string' ? line : writeJson(line, json) + eol
}

/** The layout of the longest line, which shows best how all of them are spelled. */
function commonLayout(lines: string[], eol: string): JsonLayout {
  let longest = ''
  for (const line of lines) if (line.length > longest.length) longest = line
  const text = longest.endsWith(eol) ? longest.slice(0, -eol.length) : longest
  const value = tryParseJson(text)
  return (isJsonObject(value) && nearestLayout(text, value)) || {}
}

function readLine(line: string, layout: StreamLayout): JsonLine {
  if (!line.startsWith('{') || !line.endsWith(layout.eol)) return line
  const value = tryParseJson(line)
  return isJsonObject(value) && writeJsonLine(value, layout) === line ? value : line
}
