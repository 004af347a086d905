import { isJsonObject, type JsonValue } from '../../../json/json-value.ts'
import { known } from '../../../providers/fields.ts'
import { countOf } from '../../../text/count-of.ts'
import { aiSdk } from './ai-sdk.ts'
import { braintrustExport, braintrustSpans } from './braintrust.ts'
import { genai } from './genai.ts'
import { jaegerExport } from './jaeger.ts'
import { langfuse, langfuseExport } from './langfuse.ts'
import { langsmith, langsmithExport } from './langsmith.ts'
import { mlflow } from './mlflow.ts'
import type { ModelCall } from './model-call.ts'
import { openInference } from './openinference.ts'
import { EVENT_ONLY, otlp } from './otlp.ts'
import { phoenixExport } from './phoenix.ts'
import { brokenTrace, type Convention, type SpanSource, type TraceSpan } from './span.ts'
import { readConversation } from './conversation.ts'
import type { TraceSummary } from './summaries.ts'
import type { PlacedValue } from './trace-values.ts'

/** The file formats with spans. */
const SOURCES: readonly SpanSource[] = [
  otlp,
  langfuseExport,
  langsmithExport,
  braintrustExport,
  phoenixExport,
  jaegerExport,
]

const NAMES = SOURCES.map(({ name }) => name).join(', ')

/** Who writes spans; the first that knows a span reads it. */
const CONVENTIONS: readonly Convention[] = [
  langsmith,
  braintrustSpans,
  langfuse,
  mlflow,
  openInference,
  aiSdk,
  genai,
]

/** The calls of one trace, in the order in which they were made. */
export interface Trace {
  id: string
  calls: ModelCall[]
  /** How many of its spans are no calls of a model. */
  otherSpans: number
  /** How many of its spans have a parent that is not in the file. */
  orphans: number
  /** The names of its first spans. */
  names: string[]
}

/** Whether the value of a file, or of its first line, is a trace, or a list of what traces are made of. */
export function isTrace(value: unknown): boolean {
  return sourceOf(itemsOf(value as JsonValue)[0]) !== undefined
}

/**
 * Reads the spans of a file.
 *
 * @returns the format of the file, for people
 * @throws CassetteError `invalid-cassette` for a file that is none, or that is broken
 */
export function readSpans(
  values: Iterable<PlacedValue>,
  file: string,
  add: (span: TraceSpan) => void,
): string {
  const formats = new Set<string>()
  let count = 0
  for (const { value, place } of values) {
    const items = itemsOf(value)
    for (const [index, item] of items.entries()) {
      const at = items.length > 1 ? `${place}, item ${index + 1}` : place
      const source = sourceOf(item)
      if (!source) throw brokenTrace(at, `it is no trace. Known are ${NAMES}`)
      formats.add(source.name)
      for (const span of source.spans(item, at)) {
        add(span)
        count++
      }
    }
  }
  if (formats.size === 0) throw brokenTrace(file, 'it is empty')
  if (count === 0) throw brokenTrace(file, 'it is a trace without spans')
  return [...formats].join(' and ')
}

function sourceOf(value: JsonValue | undefined): SpanSource | undefined {
  return value === undefined ? undefined : SOURCES.find((source) => source.recognise(value))
}

/** A list of spans as its items. */
function itemsOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) && value.length > 0 ? value : [value]
}

export function traceOfSpans(id: string, spans: readonly TraceSpan[]): Trace {
  const merged = mergeTwice(spans)
  const names = [...new Set(merged.map(({ name }) => name))].slice(0, MOST_NAMES)
  return { id, ...readConversation(merged, conventionOf), names }
}

const MOST_NAMES = 5

/** Spans that stand in a file several times: once for their beginning and their end, or once for each export. */
function mergeTwice(spans: readonly TraceSpan[]): TraceSpan[] {
  const merged = new Map<string, TraceSpan>()
  for (const span of spans) {
    const key = `${span.traceId} ${span.id}`
    const before = merged.get(key)
    merged.set(key, before ? joined(before, span) : span)
  }
  // Events of a span that the file does not have say nothing of its call.
  return [...merged.values()].filter(({ name, events }) => name !== EVENT_ONLY || events.length > 0)
}

function joined(one: TraceSpan, other: TraceSpan): TraceSpan {
  const [first, second] = one.name === EVENT_ONLY ? [other, one] : [one, other]
  const filled = Object.entries(known(second.attributes)).map(([name, value]) => {
    const before = first.attributes[name]
    // Braintrust writes rows that are merged into earlier ones, field by field.
    return [name, isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value]
  })
  return {
    ...second,
    ...first,
    name: first.name || second.name,
    // A later row of a span has what an earlier one lacks.
    attributes: { ...first.attributes, ...Object.fromEntries(filled) },
    events: unique([...first.events, ...second.events]),
  }
}

function unique(events: TraceSpan['events']): TraceSpan['events'] {
  const seen = new Set<string>()
  return events.filter((event) => {
    const key = JSON.stringify(event)
    return !seen.has(key) && seen.add(key)
  })
}

function conventionOf(span: TraceSpan): Convention | undefined {
  return CONVENTIONS.find((convention) => convention.kindOf(span) !== undefined)
}

/**
 * Why a file has nothing to replay: no calls of a model, or none with texts, as its tracer was told to keep none.
 *
 * @param traces of the file
 */
export function whyEmpty(traces: readonly TraceSummary[]): string | undefined {
  const calls = traces.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) {
    const spans = traces.reduce((sum, one) => sum + one.otherSpans, 0)
    const found = [...new Set(traces.flatMap(({ names }) => names))].slice(0, MOST_NAMES).join(', ')
    return `none of its ${countOf(spans, 'span')} is the call of a model (${found}), as if the SDK of the provider was not instrumented`
  }
  if (traces.some(({ hasTexts }) => hasTexts)) return undefined
  const emitters = new Set(traces.flatMap((one) => one.emitters))
  return (
    `its ${countOf(calls, 'call')} of a model ${calls === 1 ? 'has' : 'have'} no texts, which most tracers leave out unless they are told to keep them. ` +
    `Record a trace with the texts:\n${settingsOf(emitters)}`
  )
}

/** The settings with which tracers keep texts, a line each. */
export function settingsOf(emitters: ReadonlySet<string>): string {
  return CONVENTIONS.filter(({ name }) => emitters.has(name))
    .map(({ name, contentSetting }) => `  ${name}: ${contentSetting}`)
    .join('\n')
}
