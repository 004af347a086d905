import { setFlagsFromString } from 'node:v8'
import { CassetteError } from '../../../errors.ts'
import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import type { ForeignFile, ReadingOptions } from '../foreign.ts'
import { isTrace, readSpans } from './read-traces.ts'
import type { SpanStore } from './span-store.ts'
import { type PlacedValue, valuesIn } from './trace-values.ts'

/** A file with traces. What it holds is in a {@link SpanStore}, together with what other files tell of the same traces. */
export interface TraceFile {
  /** As the user named it, or as it lies in the folder that the user named. */
  file: string
  /** The format of the file, for people. */
  format: string
}

/** One of these is at the beginning of every trace. Other files are not parsed to be recognised. */
export const TRACE_HINT =
  /"(?:resource_?(?:Spans|Logs|spans|logs)|trace_?I[dD]|trace_id|observations|run_type|dotted_order|span_tree|(?:context\.)?span_?[iI]d)"/

/** Of a larger file, spans come and go so fast that Node would give new values three times the memory, which it never gives back. */
const LARGE_BYTES = 16 * 1024 * 1024

/** As much of a file is read to see whether it is a trace. */
const FIRST_BYTES = 64 * 1024

/** Whether a file is a trace, or is broken where only a trace has what it begins with. */
export function isTraceFile(file: ForeignFile): boolean {
  if (!TRACE_HINT.test(file.head)) return false
  const first = firstValue(file)
  return first !== undefined && isTrace(first)
}

/**
 * Reads the spans of a file into a store: a value, or one a line, in pieces.
 *
 * @throws CassetteError `invalid-cassette` for a file that is broken
 */
export function readTraceFile(
  file: ForeignFile,
  store: SpanStore,
  { onProgress }: Pick<ReadingOptions, 'onProgress'>,
): TraceFile {
  if (file.size > LARGE_BYTES) setFlagsFromString('--semi-space-growth-factor=1')
  try {
    const values = valuesIn(file, {
      isLines: holdsLines(file),
      onRead: (bytes) => onProgress?.(file, bytes),
    })
    const format = readSpans(values, file.name, (span) => store.add(span, file.name))
    return { file: file.name, format }
  } catch (error) {
    // Half of a file would pass for all of it.
    store.drop(file.name)
    throw error
  }
}

function holdsLines({ head }: ForeignFile): boolean {
  const end = head.indexOf('\n')
  return end >= 0 && tryParseJson(head.slice(0, end)) !== undefined
}

function firstValue(file: ForeignFile): JsonValue | undefined {
  try {
    const values = valuesIn(file, { isLines: holdsLines(file), pieceBytes: FIRST_BYTES })
    const [first] = values as Iterable<PlacedValue>
    return first?.value
  } catch (error) {
    if (CassetteError.isInstance(error)) return undefined
    throw error
  }
}
