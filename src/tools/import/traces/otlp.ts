import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../../json/json-value.ts'
import { stringOf } from '../../../providers/fields.ts'
import {
  brokenTrace,
  describe,
  listAt,
  longOf,
  nanosOf,
  objectAt,
  type SpanEvent,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

/**
 * OpenTelemetry's JSON, as SDKs send it and the collector's file exporter writes it (OTLP 1.10): an object, or one a
 * line, with spans, or with log records whose events belong to spans.
 */
export const otlp: SpanSource = {
  name: 'OTLP/JSON',

  recognise: (value) => isJsonObject(value) && Object.keys(value).some((name) => name in LISTS),

  spans(value, place) {
    const file = objectAt(value, place)
    return Object.entries(LISTS).flatMap(([list, read]) =>
      listAt(file[list], `${place}: ${list}`).flatMap((one, index) =>
        read(objectAt(one, `${place}: ${list}[${index}]`), `${place}: ${list}[${index}]`),
      ),
    )
  },
}

/** The span of a log record, which has an event of it and nothing else. */
export const EVENT_ONLY = 'only an event'

const LISTS: Record<string, (resource: JsonObject, place: string) => TraceSpan[]> = {
  resourceSpans: spansIn,
  resource_spans: spansIn,
  // Grafana Tempo
  batches: spansIn,
  resourceLogs: logsIn,
  resource_logs: logsIn,
}

function spansIn(resource: JsonObject, place: string): TraceSpan[] {
  return scopesIn(
    resource,
    ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'],
    place,
  ).flatMap(({ scope, group, place: at }) =>
    listAt(group.spans, at).map((span, index) => readSpan(span, scope, `${at}, span ${index + 1}`)),
  )
}

function logsIn(resource: JsonObject, place: string): TraceSpan[] {
  return scopesIn(resource, ['scopeLogs', 'scope_logs'], place).flatMap(
    ({ scope, group, place: at }) =>
      listAt(group.logRecords ?? group.log_records, at).flatMap((record, index) =>
        readRecord(record, scope, `${at}, record ${index + 1}`),
      ),
  )
}

function scopesIn(
  resource: JsonObject,
  names: readonly string[],
  place: string,
): Array<{ scope: string; group: JsonObject; place: string }> {
  return names.flatMap((name) =>
    listAt(resource[name], place).map((value, index) => {
      const at = `${place}.${name}[${index}]`
      const group = objectAt(value, at)
      const { name: scope } = objectAt(group.scope ?? group.instrumentationLibrary ?? {}, at)
      return { scope: stringOf(scope) ?? '', group, place: at }
    }),
  )
}

function readSpan(value: JsonValue, scope: string, place: string): TraceSpan {
  const span = objectAt(value, place)
  const id = idOf(span.spanId ?? span.span_id, 8, place)
  const traceId = idOf(span.traceId ?? span.trace_id, 16, place)
  if (!id || !traceId) throw brokenTrace(place, 'it has no spanId or no traceId')
  const { code, message } = objectAt(span.status ?? {}, place)
  const failed = code === 2 || code === 'STATUS_CODE_ERROR'
  return spanOf({
    traceId,
    id,
    parentId: idOf(span.parentSpanId ?? span.parent_span_id, 8, place),
    name: stringOf(span.name) ?? '',
    start: nanosOf(span.startTimeUnixNano ?? span.start_time_unix_nano, place),
    end: nanosOf(span.endTimeUnixNano ?? span.end_time_unix_nano, place),
    attributes: readAttributes(span.attributes, place),
    events: listAt(span.events, place).map((one) => readEvent(one, place)),
    failure: failed ? (stringOf(message) ?? '') : undefined,
    scope,
    place,
  })
}

function readEvent(value: JsonValue, place: string): SpanEvent {
  const { name, attributes } = objectAt(value, place)
  return { name: stringOf(name) ?? '', attributes: readAttributes(attributes, place) }
}

/** A log record as an event of its span. */
function readRecord(value: JsonValue, scope: string, place: string): TraceSpan[] {
  const record = objectAt(value, place)
  const id = idOf(record.spanId ?? record.span_id, 8, place)
  const traceId = idOf(record.traceId ?? record.trace_id, 16, place)
  const attributes = readAttributes(record.attributes, place)
  const name = record.eventName ?? record.event_name ?? attributes['event.name']
  if (!id || !traceId || typeof name !== 'string') return []
  const body = readValue(record.body, place)
  const event = {
    name,
    attributes: { ...attributes, ...(isJsonObject(body) ? body : body === null ? {} : { body }) },
  }
  return [{ traceId, id, name: EVENT_ONLY, attributes: {}, events: [event], scope, place }]
}

function readAttributes(value: JsonValue | undefined, place: string): JsonObject {
  return Object.fromEntries(
    listAt(value, `${place}, its attributes`).map((one) => {
      const { key, value: held } = objectAt(one, place)
      if (typeof key !== 'string') throw brokenTrace(place, 'an attribute has no key')
      return [key, readValue(held, `${place}, ${key}`)]
    }),
  )
}

/** The value of an attribute, out of the field that tells its type. */
function readValue(value: JsonValue | undefined, place: string): JsonValue {
  if (value === undefined || value === null) return null
  const held = objectAt(value, place)
  const { intValue, arrayValue, kvlistValue } = held
  if (arrayValue !== undefined)
    return valuesIn(arrayValue, place).map((one) => readValue(one, place))
  if (kvlistValue !== undefined)
    return Object.fromEntries(
      valuesIn(kvlistValue, place).map((one) => {
        const { key, value: inner } = objectAt(one, place)
        return [`${key as string}`, readValue(inner, place)]
      }),
    )
  if (intValue !== undefined) return intOf(intValue, place)
  const plain = held.stringValue ?? held.boolValue ?? held.doubleValue ?? held.bytesValue
  return plain ?? null
}

function valuesIn(value: JsonValue, place: string): JsonValue[] {
  return listAt(objectAt(value ?? {}, place).values, place)
}

/** JSON has longs as texts; libraries for protocol buffers write their halves. */
function intOf(value: JsonValue, place: string): JsonValue {
  if (isJsonObject(value)) return Number(longOf(value, place))
  if (isRawNumber(value) || typeof value === 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isInteger(number)) return number
  throw brokenTrace(place, `an integer is expected, and there is ${describe(value)}`)
}

/** An id in hexadecimal digits, whatever it is written in. */
function idOf(value: JsonValue | undefined, bytes: number, place: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = isJsonObject(value)
    ? Array.isArray(value.data) && Buffer.from(value.data as number[]).toString('hex')
    : value
  const id = typeof text === 'string' ? hexOf(text, bytes) : undefined
  if (id === undefined)
    throw brokenTrace(place, `an id is expected, and there is ${describe(value)}`)
  return /^0*$/.test(id) ? undefined : id
}

function hexOf(text: string, bytes: number): string | undefined {
  if (text.length === bytes * 2 && /^[0-9a-f]+$/i.test(text)) return text.toLowerCase()
  // Protocol buffers have their own JSON, in which bytes are base64.
  const decoded = Buffer.from(text, 'base64')
  if (/^[\w+/-]+={0,2}$/.test(text) && decoded.length === bytes) return decoded.toString('hex')
  // Test suites and people shorten ids.
  return /^[\w-]+$/.test(text) ? text : undefined
}
