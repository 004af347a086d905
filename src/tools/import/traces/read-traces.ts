import { isJsonObject, type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import { countOf } from '../../../text/count-of.ts'
import { aiSdk } from './ai-sdk.ts'
import { braintrustExport, braintrustSpans } from './braintrust.ts'
import { genai } from './genai.ts'
import { langfuse, langfuseExport } from './langfuse.ts'
import { langsmith, langsmithExport } from './langsmith.ts'
import type { ModelCall } from './model-call.ts'
import { openInference } from './openinference.ts'
import { EVENT_ONLY, otlp } from './otlp.ts'
import { phoenixExport } from './phoenix.ts'
import { brokenTrace, type Convention, type SpanSource, type TraceSpan } from './span.ts'
import { readConversation } from './conversation.ts'

/** The file formats with spans. */
const SOURCES: readonly SpanSource[] = [
  otlp,
  langfuseExport,
  langsmithExport,
  braintrustExport,
  phoenixExport,
]

/** Who writes spans; the first that knows a span reads it. */
const CONVENTIONS: readonly Convention[] = [
  langsmith,
  braintrustSpans,
  langfuse,
  openInference,
  aiSdk,
  genai,
]

/** What a file with traces holds. */
export interface TraceReading {
  /** The format of the file, for people. */
  format: string
  traces: Trace[]
}

/** The calls of one trace, in the order in which they were made. */
export interface Trace {
  id: string
  calls: ModelCall[]
  /** How many of its spans are no calls of a model. */
  otherSpans: number
  /** How many of its spans have a parent that is not in the file. */
  orphans: number
}

/** Whether the value of a file, or of its first line, is a trace, or a list of what traces are made of. */
export function isTrace(value: unknown): boolean {
  return sourceOf(itemsOf(value as JsonValue)[0]) !== undefined
}

/**
 * Reads a text with traces: JSON, or a JSON value a line.
 *
 * @throws CassetteError `invalid-cassette` for a file that is none, that is broken, or whose traces hold no texts
 */
export function readTraces(text: string, file: string): TraceReading {
  return readTraceValues(valuesIn(text, file), file)
}

/** As {@link readTraces}, of values that are read one after the other. */
export function readTraceValues(values: Iterable<JsonValue>, file: string): TraceReading {
  const spans: TraceSpan[] = []
  const formats = new Set<string>()
  let line = 0
  for (const value of values) {
    const place = line++ === 0 ? file : `${file}, line ${line}`
    const items = itemsOf(value)
    for (const [index, item] of items.entries()) {
      const at = items.length > 1 ? `${place}, item ${index + 1}` : place
      const source = sourceOf(item)
      if (!source) throw brokenTrace(at, `it is no trace. Known are ${names()}`)
      formats.add(source.name)
      // One by one: a list of spans can be longer than a call has room for arguments.
      for (const span of source.spans(item, at)) spans.push(span)
    }
  }
  if (formats.size === 0) throw brokenTrace(file, 'it is empty')
  const traces = tracesOf(spans)
  refuseEmpty(traces, spans, file)
  return { format: [...formats].join(' and '), traces }
}

function names(): string {
  return SOURCES.map(({ name }) => name).join(', ')
}

function sourceOf(value: JsonValue | undefined): SpanSource | undefined {
  return value === undefined ? undefined : SOURCES.find((source) => source.recognise(value))
}

/** A list of spans as its items. */
function itemsOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) && value.length > 0 ? value : [value]
}

function* valuesIn(text: string, file: string): Generator<JsonValue> {
  const whole = tryParseJson(text)
  if (whole !== undefined) {
    yield whole
    return
  }
  let line = 0
  for (const one of text.split('\n')) {
    line++
    if (one.trim() === '') continue
    const value = tryParseJson(one)
    if (value === undefined)
      throw brokenTrace(file, `line ${line} is no JSON: ${JSON.stringify(one.slice(0, 60))}`)
    yield value
  }
}

function tracesOf(spans: readonly TraceSpan[]): Trace[] {
  const known = mergeTwice(spans)
  const traces = [...Map.groupBy(known, ({ traceId }) => traceId)].map(([id, own]) => {
    const { calls, otherSpans, orphans } = readConversation(own, conventionOf)
    return { id, calls, otherSpans, orphans }
  })
  return traces.toSorted(
    (one, other) => compare(startOf(one), startOf(other)) || compare(one.id, other.id),
  )
}

function startOf({ calls }: Trace): string {
  return calls[0]?.start ?? ''
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Spans that stand in a file several times: once for their beginning and their end, or once for each export. */
function mergeTwice(spans: readonly TraceSpan[]): TraceSpan[] {
  const merged = new Map<string, TraceSpan>()
  for (const span of spans) {
    const key = `${span.traceId} ${span.id}`
    const known = merged.get(key)
    merged.set(key, known ? joined(known, span) : span)
  }
  // Events of a span that the file does not have say nothing of its call.
  return [...merged.values()].filter(({ name, events }) => name !== EVENT_ONLY || events.length > 0)
}

function joined(one: TraceSpan, other: TraceSpan): TraceSpan {
  const [first, second] = one.name === EVENT_ONLY ? [other, one] : [one, other]
  const filled = Object.entries(second.attributes).filter(([, value]) => value !== null)
  return {
    ...second,
    ...first,
    name: first.name || second.name,
    // A later row of a span has what an earlier one lacks.
    attributes: { ...first.attributes, ...withoutMerge(Object.fromEntries(filled), first) },
    events: unique([...first.events, ...second.events]),
  }
}

/** Braintrust writes rows that are merged into earlier ones, field by field. */
function withoutMerge(
  later: TraceSpan['attributes'],
  { attributes }: TraceSpan,
): TraceSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(later).map(([name, value]) => {
      const known = attributes[name]
      return [name, isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value]
    }),
  )
}

function unique(events: TraceSpan['events']): TraceSpan['events'] {
  const seen = new Set<string>()
  return events.filter((event) => {
    const key = JSON.stringify(event)
    return !seen.has(key) && seen.add(key)
  })
}

/** The convention in which a span is written. */
function conventionOf(span: TraceSpan): Convention | undefined {
  return CONVENTIONS.find((convention) => convention.kindOf(span) !== undefined)
}

/** Refuses a file without calls of a model, and one whose tracer was told to keep no texts. */
function refuseEmpty(traces: readonly Trace[], spans: readonly TraceSpan[], file: string): void {
  const calls = traces.flatMap((trace) => trace.calls)
  if (calls.length === 0) {
    const found = [...new Set(spans.map(({ name }) => name))].slice(0, 5).join(', ')
    throw brokenTrace(
      file,
      spans.length === 0
        ? 'it is a trace without spans'
        : `none of its ${countOf(spans.length, 'span')} is the call of a model (${found}), as if the SDK of the provider was not instrumented`,
    )
  }
  if (calls.some(hasTexts)) return
  const emitters = new Set(calls.map(({ emitter }) => emitter))
  const settings = CONVENTIONS.filter(({ name }) => emitters.has(name)).map(
    ({ name, contentSetting }) => `${name}: ${contentSetting}`,
  )
  throw brokenTrace(
    file,
    `its ${calls.length} calls of a model have no texts, which most tracers leave out unless they are told to keep them. ` +
      `Record a trace with the texts:\n${settings.map((one) => `  ${one}`).join('\n')}`,
  )
}

function hasTexts({ prompt, answer }: ModelCall): boolean {
  const parts = prompt.messages?.flatMap((message) => message.parts) ?? []
  return (
    answer.text !== '' ||
    answer.tool_calls?.some(({ parameters }) => parameters !== null) === true ||
    parts.some(({ type }) => type !== 'tool_call')
  )
}
