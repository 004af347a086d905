import {
  type Cassette,
  type Exchange,
  isRecorded,
  type RecordedExchange,
  type ToolCallSummary,
  type WrittenExchange,
  type WrittenResponse,
} from '../../cassette/cassette.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { dialectFor, promptFor } from '../../engine/read-prompt.ts'
import { canBeWritten, writtenAnswer } from '../../features/hand-written.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { isWordless } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { isStream } from '../../recording/fold-answer.ts'
import type { WireResponse } from '../../wire/message.ts'

/** An answer that a model could have given in the place of a recorded one. */
export interface Mutant {
  /** The id of the exchange whose answer it replaces. */
  exchange: string
  /** Its mistake, for people. Unique among the mutants of an exchange. */
  what: string
  response: WrittenResponse
}

/** A mutant whose exchange is known from the context. */
type Changed = Omit<Mutant, 'exchange'>

/**
 * The result of a test with a mutant:
 * - `assertion`: the test failed by itself.
 * - `requests`: the application sent a request that is not recorded, so the verdict of the test is unknown.
 * - `survived`: the test passed, or failed only because the application no longer sent a recorded request.
 */
export type Fate = 'assertion' | 'requests' | 'survived'

/** All ways in which the answers of a cassette can be wrong, one at a time. */
export function mutantsOf({ exchanges }: Cassette): Mutant[] {
  return exchanges.filter(canBeMutated).flatMap((exchange) => {
    const response = answerOf(exchange)
    return [...mutateCalls(response), ...mutateText(response), ...mutateEnd(exchange)].map(
      (changed) => ({ exchange: exchange.id, ...changed }),
    )
  })
}

/** A sample of the mutants of a test, in order. The same seed gives the same sample. */
export function sample(mutants: readonly Mutant[], most: number, seed: string): Mutant[] {
  if (mutants.length <= most) return [...mutants]
  const drawn = mutants.toSorted((one, other) => (keyOf(one, seed) < keyOf(other, seed) ? -1 : 1))
  const chosen = new Set(drawn.slice(0, most))
  return mutants.filter((mutant) => chosen.has(mutant))
}

function keyOf({ exchange, what }: Mutant, seed: string): string {
  return sha256(`${seed}\n${exchange}\n${what}`)
}

/** Whether an answer has content, in a format that this package can write. */
export function canBeMutated(exchange: Exchange): boolean {
  if (exchange.response.error !== undefined || exchange.response.incomplete) return false
  if (!exchange.wire) return true
  const incoming = readIncoming(exchange.wire.request)
  return canBeWritten(incoming) && !isWordless(promptFor(incoming).operation)
}

/** A cassette in which one exchange has another answer. */
export function withMutant(cassette: Cassette, { exchange, response }: Mutant): Cassette {
  return rewrite(cassette, (one) => (one.id === exchange ? response : undefined))
}

/** A cassette with the same answers, written anew. A test that fails for this does not fail for a mutant. */
export function rewritten(cassette: Cassette, isMeant: (id: string) => boolean): Cassette {
  return rewrite(cassette, (one) =>
    isMeant(one.id) && canBeMutated(one) ? answerOf(one) : undefined,
  )
}

function rewrite(
  cassette: Cassette,
  answer: (exchange: Exchange) => WrittenResponse | undefined,
): Cassette {
  const exchanges = cassette.exchanges.map((exchange): Exchange => {
    const response = answer(exchange)
    if (!response) return exchange
    const { id, prompt, wire } = exchange
    const sent = isRecorded(exchange) && answerWith(exchange, answerOf(exchange), response)
    if (sent)
      return { ...exchange, response, wire: { request: exchange.wire.request, response: sent } }
    const written: WrittenExchange = { id, prompt, response }
    return wire ? { ...written, wire: { request: wire.request } } : written
  })
  return { ...cassette, exchanges }
}

/** The content of an answer, without times and tool results. */
function answerOf({ response }: Exchange): WrittenResponse {
  const { duration_ms: _, tool_calls: calls, ...said } = response
  const { kept: __, ...plain } = said as typeof said & { kept?: true }
  if (!calls) return plain
  const named = calls.map(({ tool_name, parameters }) => ({ tool_name, parameters }))
  return { ...plain, tool_calls: named }
}

/** A mistake in words, and what it makes of the right thing. */
type Wrong<Thing> = [what: string, wrong: Thing]

interface Field {
  of: JsonObject
  name: string
  value: JsonValue
}

/** Ways in which a field can be wrong. In their words, `…` stands for its name. */
type FieldMistakes = Record<string, (field: Field) => JsonObject | undefined>

const ARGUMENT_MISTAKES: FieldMistakes = {
  'is called with another "…"': (field) => withField(field, anotherValue(field.value)),
  'is called without "…"': withoutField,
  'is called with "…" of another type': (field) => withField(field, anotherType(field.value)),
}

const JSON_MISTAKES: FieldMistakes = {
  'its JSON has no "…"': withoutField,
  'its JSON has "…" of another type': (field) => withField(field, anotherType(field.value)),
}

const REFUSAL = "I'm sorry, but I can't help with that."

/** An evasive answer in another script. */
const FOREIGN = 'ご質問ありがとうございます。確認のうえ、改めてご連絡いたします。'

function mutateCalls(response: WrittenResponse): Changed[] {
  const calls = response.tool_calls ?? []
  return calls.flatMap((call, index) => {
    const named = calls.length > 1 ? `call ${index + 1}, ${call.tool_name},` : call.tool_name
    return wrongCalls(call).map(([what, wrong]) => ({
      what: `${named} ${what}`,
      response: withCalls(response, calls.toSpliced(index, 1, ...wrong)),
    }))
  })
}

/** The calls that a model makes in the place of one. */
function wrongCalls(call: ToolCallSummary): Array<Wrong<ToolCallSummary[]>> {
  const wrong = wrongFields(call.parameters, ARGUMENT_MISTAKES)
  return [
    ['is not called', []],
    ['is called twice', [call, call]],
    ['is called by a name that no tool has', [{ ...call, tool_name: `${call.tool_name}_v2` }]],
    ...wrong.map(([what, parameters]): Wrong<ToolCallSummary[]> => [
      what,
      [{ ...call, parameters }],
    ]),
  ]
}

function wrongFields(of: JsonValue, mistakes: FieldMistakes): Array<Wrong<JsonObject>> {
  const fields = isJsonObject(of) ? Object.entries(of) : []
  return fields.flatMap(([name, value]) =>
    Object.entries(mistakes).flatMap(([what, make]): Array<Wrong<JsonObject>> => {
      const wrong = make({ of: of as JsonObject, name, value })
      return wrong ? [[what.replace('…', () => name), wrong]] : []
    }),
  )
}

function mutateText(response: WrittenResponse): Changed[] {
  const { text, tool_calls: calls = [] } = response
  const isWordless = text.trim() === ''
  if (isWordless && calls.length === 0) return []
  const said = isWordless ? [] : wrongTexts(text)
  return [
    { what: 'it refuses', response: { ...unfinished(response), text: REFUSAL } },
    { what: 'it is empty', response: { ...unfinished(response), text: '' } },
    ...said.map(([what, wrong]) => ({ what, response: { ...response, text: wrong } })),
  ]
}

function wrongTexts(text: string): Array<Wrong<string>> {
  const value = readObject(text)
  if (value) {
    const put = (wrong: JsonObject): string => text.replace(/\{[^]*\}/, () => spell(wrong, text))
    return [
      ['its JSON is broken', text.slice(0, text.lastIndexOf('}'))],
      ...wrongFields(value, JSON_MISTAKES).map(([what, wrong]): Wrong<string> => [
        what,
        put(wrong),
      ]),
    ]
  }
  const foreign: Wrong<string> = ['it answers in another language', FOREIGN]
  return text.length > 1 ? [['its text ends in the middle', firstHalf(text)], foreign] : [foreign]
}

function mutateEnd(exchange: Exchange): Changed[] {
  if (!exchange.wire) return []
  const response = answerOf(exchange)
  const reason = dialectFor(readIncoming(exchange.wire.request)).tooLong
  const { finish_reasons: _, usage: __, ...open } = response
  const isStreamed = isRecorded(exchange) && isStream(exchange.wire.response.body)
  return [
    reason !== undefined && {
      what: `it ends by its length (${reason})`,
      response: { ...response, finish_reasons: [reason] },
    },
    isStreamed && {
      what: 'its stream is cut',
      response: { ...open, text: firstHalf(open.text), incomplete: true },
    },
  ].filter((changed) => changed !== false)
}

/** An answer without its calls, and without the finish reason that fits them. */
function unfinished(response: WrittenResponse): WrittenResponse {
  const { tool_calls: _, finish_reasons: __, ...rest } = response
  return rest
}

function withCalls(response: WrittenResponse, calls: ToolCallSummary[]): WrittenResponse {
  const rest = unfinished(response)
  return calls.length > 0 ? { ...rest, tool_calls: calls } : rest
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2))
}

function withoutField({ of, name }: Pick<Field, 'of' | 'name'>): JsonObject {
  const { [name]: _, ...others } = of
  return others
}

function withField({ of, name }: Field, value: JsonValue | undefined): JsonObject | undefined {
  return value === undefined ? undefined : { ...of, [name]: value }
}

/** A value of the same type; `undefined` where there is none. */
function anotherValue(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (isRawNumber(value)) return 1
  if (typeof value === 'string') return value === '' ? 'something' : `${value} else`
  if (Array.isArray(value)) return value.length > 0 ? value.slice(0, -1) : undefined
  if (!isJsonObject(value)) return undefined
  const [name] = Object.keys(value)
  return name === undefined ? undefined : withoutField({ of: value, name })
}

/** A value of a type that a model confuses with the right one. */
function anotherType(value: JsonValue): JsonValue {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || isRawNumber(value)) return 'null'
  return JSON.stringify(value)
}

function spell(value: JsonObject, text: string): string {
  return JSON.stringify(value, null, text.includes('\n') ? 2 : 0)
}

/** The JSON object that a text consists of, bare or in a fence of Markdown. */
function readObject(text: string): JsonObject | undefined {
  const [, fenced] = /^```(?:json)?\n([^]*)\n```$/.exec(text.trim()) ?? []
  const value = tryParseJson((fenced ?? text).trim())
  return value !== undefined && isJsonObject(value) ? value : undefined
}

/**
 * A recorded answer with other content. All that its format does not write for the content stays as recorded: ids,
 * headers, and fields that only this provider has. `undefined` where the change cannot be made in the recorded body:
 * in the events of a stream, and where the provider says the same in another field.
 */
function answerWith(
  { id, prompt, wire }: RecordedExchange,
  before: WrittenResponse,
  after: WrittenResponse,
): WireResponse | undefined {
  const incoming = readIncoming(wire.request)
  const [base, written] = [before, after].map((response) =>
    writtenAnswer({ id, prompt, response }, incoming),
  ) as [WireResponse, WireResponse]
  const [recorded, was, is] = [wire.response.body, base.body, written.body]
  if (recorded.kind !== 'json' || was.kind !== 'json' || is.kind !== 'json') return undefined
  if (isEqual(was.value, is.value)) return wire.response
  const value = merge(recorded.value, was.value, is.value)
  const merged = { ...wire.response, body: { ...recorded, value } }
  const { readCompletion } = dialectFor(incoming)
  return hasSameContent(readCompletion(merged), readCompletion(written)) ? merged : undefined
}

function hasSameContent(one: Completion, other: Completion): boolean {
  const contentOf = ({ text, toolCalls }: Completion): unknown => [
    text,
    toolCalls.map(({ name, arguments: given }) => [name, given]),
  ]
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other))
}

/** Makes in the recorded value the changes between two others. */
function merge(recorded: JsonValue, base: JsonValue, changed: JsonValue): JsonValue {
  if (isEqual(base, changed)) return recorded
  if (isJsonObject(recorded) && isJsonObject(base) && isJsonObject(changed)) {
    // An object of another type has other fields.
    if (base.type !== changed.type) return changed
    const merged = Object.entries({ ...recorded, ...changed }).flatMap(([key, value]) => {
      if (!(key in changed)) return key in base ? [] : [[key, value] as const]
      const [was, is] = [base[key], changed[key]!]
      if (key in recorded)
        return [[key, was === undefined ? is : merge(recorded[key]!, was, is)] as const]
      // The provider leaves out what the format writes for all.
      return was !== undefined && isEqual(was, is) ? [] : [[key, is] as const]
    })
    return Object.fromEntries(merged)
  }
  if (Array.isArray(recorded) && Array.isArray(base) && Array.isArray(changed)) {
    if (recorded.length !== base.length) return changed
    return changed.map((item, index) =>
      index < base.length ? merge(recorded[index]!, base[index]!, item) : item,
    )
  }
  return changed
}

/** Both are written by one function, in one order of keys. */
function isEqual(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
