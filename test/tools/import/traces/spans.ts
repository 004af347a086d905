import type { JsonValue } from '../../../../src/json/json-value.ts'
import type { ModelCall } from '../../../../src/tools/import/traces/model-call.ts'
import { CassetteError } from '../../../../src/errors.ts'
import type { ForeignFile } from '../../../../src/tools/import/foreign.ts'
import { type Trace, traceOfSpans } from '../../../../src/tools/import/traces/read-traces.ts'
import { SpanStore } from '../../../../src/tools/import/traces/span-store.ts'
import { summarizeTraces } from '../../../../src/tools/import/traces/summaries.ts'
import { readTraceFile } from '../../../../src/tools/import/traces/trace-files.ts'

/** A span as a test writes it; each has a time of its own unless it names one. */
export interface WrittenSpan {
  id: string
  parent?: string
  trace?: string
  name?: string
  /** Seconds after the beginning of the trace. */
  at?: number
  attributes?: Record<string, JsonValue>
  events?: Array<{ name: string; attributes: Record<string, JsonValue> }>
  error?: string
}

/** The text of a file with these spans, in OpenTelemetry's JSON. */
export function otlpOf(spans: readonly WrittenSpan[]): string {
  const written = spans.map((span, index) => otlpSpan(span, index))
  return JSON.stringify({
    resourceSpans: [{ scopeSpans: [{ scope: { name: 'test' }, spans: written }] }],
  })
}

export function otlpSpan(
  { id, parent, trace = 'f1', name = 'span', at, attributes = {}, events = [], error }: WrittenSpan,
  index: number,
): JsonValue {
  const start = 1_700_000_000_000_000_000n + BigInt(Math.round((at ?? index) * 1e9))
  return {
    traceId: trace.padStart(32, '0'),
    spanId: idOf(id),
    ...(parent === undefined ? {} : { parentSpanId: idOf(parent) }),
    name,
    startTimeUnixNano: `${start}`,
    endTimeUnixNano: `${start + 500_000_000n}`,
    attributes: attributesOf(attributes),
    events: events.map((event) => ({ ...event, attributes: attributesOf(event.attributes) })),
    status: error === undefined ? {} : { code: 2, message: error },
  }
}

/** The id that a span has in a trace. */
export function idOf(id: string): string {
  return Buffer.from(id).toString('hex').padStart(16, '0')
}

export function attributesOf(attributes: Record<string, JsonValue>): JsonValue {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value }
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: `${value as string}` }
}

/** A file with this text. */
export function fileWith(name: string, text: string): ForeignFile {
  const bytes = Buffer.from(text)
  return {
    name,
    size: bytes.length,
    head: text.slice(0, 65_536),
    *blocks() {
      yield bytes
    },
  } as Partial<ForeignFile> as ForeignFile
}

/** The traces of a text, in the order of their first calls, as a run reads them; it throws what a run tells. */
export function readTraces(text: string, name: string): { traces: Trace[] } {
  using store = new SpanStore()
  readTraceFile(fileWith(name, text), store, {})
  const { traces, unread } = summarizeTraces(store, store.keys())
  if (unread[0]) throw new CassetteError('invalid-cassette', unread[0].reason)
  return {
    traces: traces.map(({ key }) => {
      const { id, spans } = store.read(key)
      return traceOfSpans(id, spans)
    }),
  }
}

/** The only trace of a file. */
export function traceOf(text: string): Trace {
  const { traces } = readTraces(text, 'trace.json')
  if (traces.length !== 1) throw new Error(`${traces.length} traces`)
  return traces[0]!
}

/** The calls in the only trace of a file. */
export function callsOf(text: string): ModelCall[] {
  return traceOf(text).calls
}

/** The call of the only span that is one. */
export function callOf(span: Omit<WrittenSpan, 'id'>): ModelCall {
  const [call, ...others] = callsOf(otlpOf([{ id: 'a', ...span }]))
  if (!call || others.length > 0) throw new Error('not one call')
  return call
}

/** A prompt, one line each: `user: text`, `assistant: name({"a":1})`, `tool: result`. */
export function printed({ prompt }: Pick<ModelCall, 'prompt'>): string[] {
  return (prompt.messages ?? []).flatMap(({ role, parts }) =>
    parts.map((part) => {
      if (part.type === 'text') return `${role}: ${part.text}`
      if (part.type === 'reasoning') return `${role} thinks: ${part.text}`
      if (part.type === 'tool_call')
        return `${role}: ${part.name}(${JSON.stringify(part.arguments)})`
      if (part.type === 'tool_call_response') return `result: ${textOf(part.result)}`
      return `${role}: [${part.type}]`
    }),
  )
}

function textOf(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

/** The attributes of a call in the conventions of today. */
export function chatOf(
  said: string | JsonValue[],
  answer: string | JsonValue[],
  more: Record<string, JsonValue> = {},
): Record<string, JsonValue> {
  const messages =
    typeof said === 'string' ? [{ role: 'user', parts: [{ type: 'text', content: said }] }] : said
  const parts = typeof answer === 'string' ? [{ type: 'text', content: answer }] : answer
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-9',
    'gen_ai.input.messages': JSON.stringify(messages),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts }]),
    ...more,
  }
}
