import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../../json/json-value.ts'
import { objectOf, stringOf } from '../../../providers/fields.ts'
import { stringIn } from './messages.ts'
import {
  brokenTrace,
  describe,
  listAt,
  nanosOf,
  objectAt,
  type SpanEvent,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

/**
 * Spans as Phoenix exports them (REST API of version 12), in a list or one a line, also as its data frames write them,
 * with `context.span_id` as a name; and as the SDKs of OpenTelemetry have them in their memory, which people write to
 * files: Python's `to_json()`, which its console exporter prints, and JavaScript's spans. MLflow (3) writes nearly the same.
 */
export const phoenixExport: SpanSource = {
  name: 'spans of Phoenix, of MLflow, or of an SDK of OpenTelemetry',

  recognise: (value) => isJsonObject(value) && (isSpan(value) || listIn(value) !== undefined),

  spans(value, place) {
    const file = objectAt(value, place)
    const list = isSpan(file) ? [file] : listIn(file)!
    return list.map((one, index) => readSpan(objectAt(one, place), `${place}, span ${index + 1}`))
  },
}

function isSpan(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value) || value.run_type !== undefined) return false
  return 'context.span_id' in value || idIn(value, 'span') !== undefined
}

/** Where the ids of a span stand, and how they are spelled. */
function idIn(span: JsonObject, of: 'span' | 'trace'): string | undefined {
  const places = [span.context, span.spanContext, 'attributes' in span ? span : undefined]
  const [id] = places.flatMap((place) =>
    isJsonObject(place) ? (stringIn(place, `${of}_id`, `${of}Id`) ?? []) : [],
  )
  return plainId(id ?? stringIn(span, `context.${of}_id`))
}

/** Python writes ids as numbers. */
function plainId(id: string | undefined): string | undefined {
  return id?.replace(/^0x/, '')
}

function listIn({ data, spans }: JsonObject): JsonValue[] | undefined {
  // MLflow has what it knows of the whole trace beside its data.
  return [data, spans, objectOf(data).spans].find(
    (list): list is JsonValue[] => Array.isArray(list) && isSpan(list[0]),
  )
}

const FAILED = new Set(['ERROR', 'STATUS_CODE_ERROR', 'StatusCode.ERROR', '2'])

function readSpan(span: JsonObject, place: string): TraceSpan {
  const { status } = span
  const told: JsonObject = isJsonObject(status)
    ? {
        code: status.status_code ?? status.code ?? null,
        says: status.description ?? status.message ?? null,
      }
    : { code: span.status_code ?? status ?? null, says: span.status_message ?? null }
  const kind = stringIn(span, 'span_kind')
  return spanOf({
    traceId: idIn(span, 'trace') ?? '',
    id: idIn(span, 'span') ?? place,
    parentId: plainId(
      stringIn(span, 'parent_id', 'parentSpanId', 'parent_span_id') ??
        stringIn(objectOf(span.parentSpanContext), 'spanId'),
    ),
    name: stringIn(span, 'name') ?? '',
    start: timeOf(span.start_time ?? span.startTime ?? span.start_time_unix_nano, place),
    end: timeOf(span.end_time ?? span.endTime ?? span.end_time_unix_nano, place),
    attributes: { ...(kind ? { 'openinference.span.kind': kind } : {}), ...attributesIn(span) },
    events: listAt(span.events, place).map((one) => readEvent(objectAt(one, place))),
    failure: FAILED.has(`${told.code as string}`) ? (stringIn(told, 'says') ?? '') : undefined,
    scope: stringOf(objectOf(span.instrumentationScope).name) ?? 'phoenix',
    place,
  })
}

/** JavaScript has seconds and nanoseconds beside each other. */
function timeOf(value: JsonValue | undefined, place: string): bigint | undefined {
  if (!Array.isArray(value)) return nanosOf(value, place)
  const [seconds, nanos] = value.map((one) => Number(isRawNumber(one) ? one.rawJSON : one))
  if (value.length === 2 && Number.isInteger(seconds) && Number.isInteger(nanos))
    return BigInt(seconds!) * 1_000_000_000n + BigInt(nanos!)
  throw brokenTrace(place, `a time is expected, and there is ${describe(value)}`)
}

/** The attributes in an object, or each in a column of its own; with one name each, however deep they stand. */
function attributesIn(span: JsonObject): JsonObject {
  const prefix = 'attributes.'
  const columns = Object.entries(span).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  )
  const attributes = isJsonObject(span.attributes) ? Object.entries(span.attributes) : columns
  return Object.fromEntries(attributes.flatMap(([name, value]) => flattened(name, value)))
}

function flattened(name: string, value: JsonValue): Array<[name: string, value: JsonValue]> {
  const isDeep = isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject))
  if (!isDeep) return [[name, value]]
  return Object.entries(value).flatMap(([key, child]) => flattened(`${name}.${key}`, child))
}

function readEvent({ name, attributes }: JsonObject): SpanEvent {
  return { name: stringOf(name) ?? '', attributes: objectOf(attributes) }
}
