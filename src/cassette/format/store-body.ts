import { isJsonObject, type JsonObject, type JsonValue, mapInside } from '../../json/json-value.ts'
import type { JsonLayout } from '../../json/layout.ts'
import { findBase64 } from '../../prompt/base64.ts'
import { kindOfFile } from '../../prompt/file-kinds.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type { Body } from '../../wire/body.ts'
import type { StreamLayout } from '../../wire/event-stream.ts'
import type { StoredBody, StoredText } from '../stored-body.ts'
import { storeRuns } from './store-runs.ts'
import { wrapReserved } from './reserved-keys.ts'

/** Turns a body into its stored form. */
export function storeBody(body: Body): StoredBody {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'json':
      return { ...nonEmpty(body.layout), body: body.value }
    case 'text':
      return { body: { $text: splitLines(body.text) } }
    case 'bytes':
      return { body: { $base64: Buffer.from(body.bytes).toString('base64') } }
    case 'events':
      return {
        ...streamLayout(body.layout),
        body: { $events: storeRuns(body.events as JsonValue[]) },
      }
    case 'lines':
      return { ...streamLayout(body.layout), body: { $lines: body.lines } }
    case 'form':
      return { body: { $form: body.parts } }
    case 'frames':
      return { body: { $frames: storeRuns(body.frames as JsonValue[]) } }
  }
}

function streamLayout({ eol, json }: StreamLayout): StoredBody {
  return { ...nonEmpty(json), ...(eol === '\n' ? {} : { eol: '\r\n' as const }) }
}

function nonEmpty(layout: JsonLayout): { layout?: JsonLayout } {
  return Object.keys(layout).length > 0 ? { layout } : {}
}

/** Long texts are stored line by line, so that a reviewer sees which line changed. */
function splitLines(text: string): JsonValue {
  return text.includes('\n') ? text.split(/(?<=\n)/) : text
}

/** What a model answers, a text or the arguments of a call, is stored once from this length on, wherever it is repeated. */
export const MIN_ANSWER = 32

/** Shorter texts are readable on one line. */
const MIN_LINES = 80

/** The least mean length of a line. A text below it consists mostly of line ends, and nobody reads it. */
const MIN_MEAN = 4

/** The lines of a text, each with its end; the whole text as one if it consists mostly of line ends. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    start = end
    if (lines.length > 1_000 && start < lines.length * MIN_MEAN) return [text]
  }
  return lines
}

/** A text as a file holds it: line by line where it has several, so that one line is one line of the file. */
export function storeText(text: string): string | StoredText {
  if (text.length < MIN_LINES) return text
  const lines = linesOf(text)
  return lines.length > 1 ? { $text: lines } : text
}

/** Stores every text of an already encoded value of a body line by line. */
export function storeTexts(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (storeText(value) as JsonValue) : mapInside(value, storeTexts)
}

/** The stored form of a readable value: its texts line by line. */
export function storeReadable(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storeText(value) as JsonValue
  const stored = mapInside(value, storeReadable)
  return isJsonObject(stored) ? wrapReserved(stored) : stored
}

/**
 * The stored form of an image, audio or document, or `undefined` for a text that is none; `save`
 * gets the file's name and bytes.
 */
export function extractBlob(
  text: string,
  save: (name: string, bytes: Buffer) => void,
): JsonObject | undefined {
  const content = findBase64(text)
  const extension = content && kindOfFile(content.base64)?.extension
  if (!content || !extension) return undefined
  const bytes = Buffer.from(content.base64, 'base64')
  // Unusual spellings (base64url, stray bits) would not come back as they were sent.
  if (bytes.toString('base64') !== content.base64) return undefined
  const name = `${sha256(bytes)}.${extension}`
  save(name, bytes)
  return content.prefix ? { $blob: name, prefix: content.prefix } : { $blob: name }
}
