import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { stringIn } from './messages.ts'
import {
  listAt,
  nanosOf,
  objectAt,
  type SpanEvent,
  spanOf,
  type SpanSource,
  type TraceSpan,
} from './span.ts'

/**
 * Exports of Phoenix (REST API of version 12): spans in a list or one a line, also as its data frames write them, with
 * `context.span_id` as a name. Their attributes are OpenInference's.
 */
export const phoenixExport: SpanSource = {
  name: 'an export of Phoenix',

  recognise: (value) => isJsonObject(value) && (isSpan(value) || listIn(value) !== undefined),

  spans(value, place) {
    const file = objectAt(value, place)
    const list = isSpan(file) ? [file] : listIn(file)!
    return list.map((one, index) => readSpan(objectAt(one, place), `${place}, span ${index + 1}`))
  },
}

function isSpan(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false
  return 'context.span_id' in value || (isJsonObject(value.context) && 'span_id' in value.context)
}

function listIn({ data, spans }: JsonObject): JsonValue[] | undefined {
  return [data, spans].find((list): list is JsonValue[] => Array.isArray(list) && isSpan(list[0]))
}

function readSpan(span: JsonObject, place: string): TraceSpan {
  const context = isJsonObject(span.context) ? span.context : {}
  const kind = stringIn(span, 'span_kind')
  const failed = span.status_code === 'ERROR'
  return spanOf({
    traceId: stringIn(context, 'trace_id') ?? stringIn(span, 'context.trace_id') ?? '',
    id: stringIn(context, 'span_id') ?? stringIn(span, 'context.span_id') ?? place,
    parentId: stringIn(span, 'parent_id'),
    name: stringIn(span, 'name') ?? '',
    start: nanosOf(span.start_time, place),
    end: nanosOf(span.end_time, place),
    attributes: { ...(kind ? { 'openinference.span.kind': kind } : {}), ...attributesIn(span) },
    events: listAt(span.events, place).map((one) => readEvent(objectAt(one, place))),
    failure: failed ? (stringIn(span, 'status_message') ?? '') : undefined,
    scope: 'phoenix',
    place,
  })
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
  return {
    name: typeof name === 'string' ? name : '',
    attributes: isJsonObject(attributes) ? attributes : {},
  }
}
