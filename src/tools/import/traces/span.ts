import { CassetteError } from '../../../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { defined } from '../../../providers/fields.ts'
import type { HeldAnswer, HeldPrompt } from './model-call.ts'

/** A span of a trace, whoever wrote the file. */
export interface TraceSpan {
  traceId: string
  id: string
  parentId?: string
  name: string
  /** Nanoseconds since 1970. */
  start?: bigint
  end?: bigint
  attributes: JsonObject
  events: SpanEvent[]
  /** The message of a span that failed; empty where it has none. */
  failure?: string
  /** The instrumentation that wrote it. */
  scope: string
  /** Where it stands, for messages. */
  place: string
}

/** A span without the fields of which its file tells nothing. A failure without a message stays one. */
export function spanOf({ parentId, start, end, ...told }: TraceSpan): TraceSpan {
  return defined({
    ...told,
    parentId: parentId || undefined,
    start: start || undefined,
    end: end || undefined,
  })
}

/** An event of a span, or a log record that belongs to it. Its body stands among its attributes. */
export interface SpanEvent {
  name: string
  attributes: JsonObject
}

/** A file format with spans. */
export interface SpanSource {
  /** For people: `OTLP/JSON`, `an export of Langfuse`. */
  name: string
  /** Whether a value of a file is in this format: the file's only one, or one of its lines. */
  recognise(value: JsonValue): boolean
  /**
   * The spans of a value.
   *
   * @throws CassetteError `invalid-cassette` where something else stands in their place
   */
  spans(value: JsonValue, place: string): TraceSpan[]
}

/** What a span is to the conversation. */
export type SpanKind = 'model' | 'tool' | 'agent'

/** How one family of instrumentations names what it keeps. */
export interface Convention {
  /** For people, at the end of "written by". */
  name: string
  /** What a span is, if this convention wrote it; false for a span that is nothing of these. */
  kindOf(span: TraceSpan): SpanKind | false | undefined
  readCall(span: TraceSpan): HeldCall
  readTool?(span: TraceSpan): ToolRun
  agentName?(span: TraceSpan): string | undefined
  conversation?(span: TraceSpan): string | undefined
  /** The setting that makes it keep texts, for a trace that has none. */
  contentSetting: string
}

/** A call as one span tells it. */
export interface HeldCall {
  prompt: HeldPrompt
  answer: HeldAnswer
  streamed?: boolean
  responseId?: string
  /** Its messages are all of them, also the instructions, where there are any. */
  hasInstructions?: true
  /** The model is that of the answer, which many providers name otherwise than it was asked for. */
  isAnsweredModel?: boolean
  /** Parameters that the SDK may have left out of the request. */
  ifSent?: string[]
  /** The SDK sends another limit of tokens than the one that was set. */
  isOtherLimit?: boolean
  /** The message of an error, where it stands among the attributes. */
  failure?: string
  /** What stood in a text that was cut before its end, so that it was no whole JSON. */
  cutTexts?: string[]
}

/** A run of a tool as its span tells it. */
export interface ToolRun {
  callId?: string
  name?: string
  parameters?: JsonValue
  result?: JsonValue
}

/** The error for a span, or a file with spans, that its format does not allow. */
export function brokenTrace(place: string, what: string): CassetteError {
  return new CassetteError(
    'invalid-cassette',
    `${place} cannot be read: ${what}.\nExport the trace again, or mend the file.`,
  )
}

/** The order of ids and of times. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** An object, where nothing else can stand. */
export function objectAt(value: JsonValue | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value
  throw brokenTrace(place, `an object is expected, and there is ${describe(value)}`)
}

/** The items of a list, where nothing else can stand; of none, if there is nothing. */
export function listAt(value: JsonValue | undefined, place: string): JsonValue[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw brokenTrace(place, `a list is expected, and there is ${describe(value)}`)
}

export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isJsonObject(value)) return 'an object'
  const spelled = JSON.stringify(value)
  return spelled.length > 60 ? `${spelled.slice(0, 60)}…` : spelled
}

/** Nanoseconds since 1970 of a time in any spelling: ISO 8601, milliseconds, nanoseconds, or the halves of a long. */
export function nanosOf(value: JsonValue | undefined, place: string): bigint | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (isJsonObject(value)) return longOf(value, place)
  const text = typeof value === 'object' ? (value as { rawJSON: string }).rawJSON : `${value}`
  if (/^\d{16,19}$/.test(text)) return BigInt(text)
  // Seconds have fewer digits before the point than milliseconds.
  if (/^\d{9,11}(?:\.\d+)?$/.test(text)) return micros(Number(text) * 1_000)
  if (/^\d{12,14}(?:\.\d+)?$/.test(text)) return micros(Number(text))
  const [, date = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  const seconds = Date.parse(`${date.replace(' ', 'T')}${zone || 'Z'}`)
  if (Number.isNaN(seconds))
    throw brokenTrace(place, `a time is expected, and there is ${describe(value)}`)
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
}

function micros(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1_000)) * 1_000n
}

/** A long as some JSON libraries write it: two halves. */
export function longOf({ low, high }: JsonObject, place: string): bigint {
  if (typeof low !== 'number' || typeof high !== 'number')
    throw brokenTrace(place, 'a number is expected, and there is an object')
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt.asUintN(32, BigInt(low)))
}
