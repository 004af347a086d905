import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import type { ForeignFile, ReadingOptions } from '../foreign.ts'
import { tryRead } from '../look.ts'
import { isTrace, readTraceValues, type TraceReading } from './read-traces.ts'
import { brokenTrace } from './span.ts'

/** The traces of a file. */
export interface TraceFile extends TraceReading {
  /** As the user named it, or as it lies in the folder that the user named. */
  file: string
}

/** One of these is at the beginning of every trace. Other files are not parsed to be recognised. */
export const TRACE_HINT =
  /"(?:resource_?(?:Spans|Logs|spans|logs)|traceId|observations|run_type|dotted_order|span_tree|(?:context\.)?span_id)"/

/** Whether a file is a trace: all of it, or its first line. */
export function isTraceFile(file: ForeignFile): boolean {
  return TRACE_HINT.test(file.head) && isTrace(holdsLines(file) ? firstLine(file) : whole(file))
}

/**
 * Reads the traces of a file; one with a value a line is read line by line.
 *
 * @throws CassetteError `invalid-cassette` for a file that is broken, or whose traces hold no texts
 */
export function readTraceFile(
  file: ForeignFile,
  { onProgress }: Pick<ReadingOptions, 'onProgress'>,
): TraceFile {
  const values = holdsLines(file) ? valuesIn(file, onProgress) : [file.json() as JsonValue]
  return { file: file.name, ...readTraceValues(values, file.name) }
}

/** Whether the file has a value a line. A first line that is too long for the beginning of the file is read for it. */
function holdsLines(file: ForeignFile): boolean {
  const end = file.head.indexOf('\n')
  if (end >= 0) return tryParseJson(file.head.slice(0, end)) !== undefined
  return whole(file) === undefined
}

function whole(file: ForeignFile): JsonValue | undefined {
  return tryRead(() => file.json() as JsonValue)
}

function firstLine(file: ForeignFile): JsonValue | undefined {
  return tryRead(() => {
    const [first] = linesIn(file)
    return tryParseJson(first ?? '')
  })
}

function* valuesIn(
  file: ForeignFile,
  onProgress: ReadingOptions['onProgress'],
): Generator<JsonValue> {
  let number = 0
  for (const line of linesIn(file, onProgress)) {
    number++
    if (line.trim() === '') continue
    const value = tryParseJson(line)
    if (value === undefined)
      throw brokenTrace(
        file.name,
        `line ${number} is no JSON: ${JSON.stringify(line.slice(0, 60))}`,
      )
    yield value
  }
}

function* linesIn(file: ForeignFile, onProgress?: ReadingOptions['onProgress']): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw brokenTrace(file.name, 'it is no text in UTF-8')
    }
  }
  // A line can go over many pieces: each is looked through once.
  let begun: string[] = []
  let read = 0
  for (const block of file.blocks()) {
    const [end, ...lines] = decode(block).split('\n')
    begun.push(end!)
    for (const line of lines) {
      yield begun.join('')
      begun = [line]
    }
    read += block.length
    onProgress?.(file, read)
  }
  yield begun.join('') + decode()
}
