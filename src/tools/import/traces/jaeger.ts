import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { stringOf } from '../../../providers/fields.ts'
import { numberIn } from './held.ts'
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

/** Exports of Jaeger, from its page and from its API (version 1 and 2): `data[].spans[].tags`; or one trace of them. */
export const jaegerExport: SpanSource = {
  name: 'an export of Jaeger',

  recognise: (value) => isJsonObject(value) && (tracesIn(value) !== undefined || isTrace(value)),

  spans(value, place) {
    const file = objectAt(value, place)
    return (tracesIn(file) ?? [file]).flatMap((one, index) => {
      const at = `${place}, trace ${index + 1}`
      const trace = objectAt(one, at)
      return listAt(trace.spans, at).map((span, number) =>
        readSpan(objectAt(span, at), `${at}, span ${number + 1}`),
      )
    })
  },
}

function isTrace(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || !Array.isArray(value.spans)) return false
  const [first] = value.spans
  return isJsonObject(first) ? 'spanID' in first : 'traceID' in value
}

function tracesIn({ data }: JsonObject): JsonValue[] | undefined {
  return Array.isArray(data) && isTrace(data[0]) ? data : undefined
}

function readSpan(span: JsonObject, place: string): TraceSpan {
  const attributes = tagsIn(span.tags, place)
  const parent = listAt(span.references, place)
    .filter(isJsonObject)
    .find(({ refType }) => refType === 'CHILD_OF')
  const start = microsOf(span.startTime)
  const duration = microsOf(span.duration)
  const failed = attributes.error === true || attributes['otel.status_code'] === 'ERROR'
  const scope = attributes['otel.scope.name'] ?? attributes['otel.library.name']
  return spanOf({
    traceId: stringIn(span, 'traceID', 'traceId') ?? '',
    id: stringIn(span, 'spanID', 'spanId') ?? place,
    parentId: (parent && stringIn(parent, 'spanID')) ?? stringIn(span, 'parentSpanID'),
    name: stringIn(span, 'operationName') ?? '',
    start: start ?? nanosOf(span.startTime, place),
    end: start !== undefined && duration !== undefined ? start + duration : undefined,
    attributes,
    events: listAt(span.logs, place).map((one) => readLog(objectAt(one, place), place)),
    failure: failed ? (stringIn(attributes, 'otel.status_description') ?? '') : undefined,
    scope: stringOf(scope) ?? '',
    place,
  })
}

/** Its times are whole microseconds. */
function microsOf(value: JsonValue | undefined): bigint | undefined {
  const micros = numberIn(value)
  return micros === undefined ? undefined : BigInt(Math.round(micros)) * 1_000n
}

function tagsIn(value: JsonValue | undefined, place: string): JsonObject {
  return Object.fromEntries(
    listAt(value, place)
      .filter(isJsonObject)
      .map(({ key, value: held = null }) => [String(key), held]),
  )
}

/** An event is a log, with its name among its fields. */
function readLog({ fields }: JsonObject, place: string): SpanEvent {
  const { event, message, ...attributes } = tagsIn(fields, place)
  return { name: stringOf(event) ?? stringOf(message) ?? '', attributes }
}
