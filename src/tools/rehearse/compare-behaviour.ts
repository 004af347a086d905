import { type Schema, Validator } from '@cfworker/json-schema'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import { jsonKey } from '../../prompt/json-key.ts'
import { textOf } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'

/** One difference in the behaviour of an answer. */
export interface BehaviourDifference {
  /** `judge`: the function of the user rejects the answer. */
  kind: 'tool' | 'argument' | 'finish' | 'refusal' | 'schema' | 'shape' | 'empty' | 'cut' | 'judge'
  says: string
}

/** The parts of an answer that are compared. */
export interface Behaviour {
  completion: Completion
  /** The model refused to answer. */
  isRefusal: boolean
}

/** The result of comparing two answers. */
interface Compared {
  /** Empty if the answer behaves as recorded. */
  differences: BehaviourDifference[]
  /** The answer has another text. */
  isWords: boolean
}

/**
 * Compares the behaviour of an answer with the recorded one: the same tools with the same arguments, the same finish
 * reason, JSON of the same shape. Words are no behaviour, and are reported apart.
 *
 * @param schema the response schema of the request
 */
export function compareBehaviour(before: Behaviour, now: Behaviour, schema?: JsonObject): Compared {
  const [was, is] = [before.completion, now.completion]
  const isWords = wordsOf(was) !== wordsOf(is)
  // A refusal also differs in its end, calls and shape, so it is reported as one difference.
  if (before.isRefusal !== now.isRefusal) return { differences: [refusal(now)], isWords }
  if (isEmpty(is) && !isEmpty(was))
    return { differences: [{ kind: 'empty', says: 'the answer is empty' }], isWords }
  const calls = compareCalls(was.toolCalls, is.toolCalls)
  const cut: BehaviourDifference[] =
    is.incomplete && !was.incomplete ? [{ kind: 'cut', says: 'the answer was cut' }] : []
  const differences = [...calls, ...cut, ...compareJson(was, is, schema)]
  // Another number of calls already explains another finish reason.
  const finish = calls.some(({ kind }) => kind === 'tool') ? [] : compareFinish(was, is)
  return { differences: [...finish, ...differences], isWords }
}

function refusal(now: Behaviour): BehaviourDifference {
  return {
    kind: 'refusal',
    says: now.isRefusal ? 'the model refuses' : 'the model no longer refuses',
  }
}

function isEmpty({ text, toolCalls }: Completion): boolean {
  return text.trim() === '' && toolCalls.length === 0
}

function wordsOf({ text }: Completion): string {
  const json = jsonIn(text)
  return json === undefined ? text.trim().replaceAll(/\s+/g, ' ') : jsonKey(json)
}

function compareFinish(was: Completion, is: Completion): BehaviourDifference[] {
  const [before, now] = [finishOf(was), finishOf(is)]
  // The wire format has no finish reasons, or the answer was cut before its own.
  if (before.length === 0 || now.length === 0 || before.join() === now.join()) return []
  const says = `ends with ${is.finishReasons.join(', ')}, ended with ${was.finishReasons.join(', ')}`
  return [{ kind: 'finish', says }]
}

function compareJson(
  was: Completion,
  is: Completion,
  schema: JsonObject | undefined,
): BehaviourDifference[] {
  const before = jsonIn(was.text)
  // The recorded answer was no JSON, or the new one has no text because it calls tools.
  if (before === undefined || is.text.trim() === '') return []
  const now = jsonIn(is.text)
  if (now === undefined) return [{ kind: 'shape', says: 'the answer is no JSON any more' }]
  if (schema) {
    const known = new Set(brokenRules(before, schema))
    const broken = brokenRules(now, schema).filter((rule) => !known.has(rule))
    if (broken.length > 0)
      return broken.map((rule) => ({ kind: 'schema', says: `breaks the schema at ${rule}` }))
  }
  // With a schema, a missing optional field is no other shape.
  const changes = schema ? decisionChanges(before, now, schema) : shapeChanges(before, now)
  return changes.map((says) => ({ kind: 'shape', says }))
}

/** The most characters of a value that are shown. */
const MAX_LENGTH = 60

/** Compares tool calls regardless of their order. */
function compareCalls(
  before: readonly ToolCall[],
  now: readonly ToolCall[],
): BehaviourDifference[] {
  const names = [...new Set([...before, ...now].map(({ name }) => name))]
  return names.flatMap((name) => {
    const was = before.filter((call) => call.name === name)
    const is = now.filter((call) => call.name === name)
    const count = is.length - was.length
    if (count !== 0)
      return [{ kind: 'tool' as const, says: describeCount(name, was.length, is.length) }]
    const known = was.map(keyOf)
    const fresh = is.filter((call) => !takeFrom(known, keyOf(call)))
    const left = was.filter((call) => takeFrom(known, keyOf(call)))
    return fresh.flatMap((call, index) =>
      compareArguments(left[index]!.arguments, call.arguments, name).map(
        (says): BehaviourDifference => ({
          kind: 'argument',
          says,
        }),
      ),
    )
  })
}

function describeCount(name: string, was: number, is: number): string {
  if (is === 0) return `does not call ${name} any more`
  if (was === 0) return `calls ${name}, which it did not`
  return `calls ${name} ${is} times, was ${was}`
}

function keyOf({ arguments: given }: ToolCall): string {
  return jsonKey(given)
}

/** Removes one of several equal keys; returns false if there is none. */
function takeFrom(keys: string[], key: string): boolean {
  const index = keys.indexOf(key)
  if (index >= 0) keys.splice(index, 1)
  return index >= 0
}

function compareArguments(before: JsonValue, now: JsonValue, place: string): string[] {
  if (!isJsonObject(before) || !isJsonObject(now))
    return jsonKey(before) === jsonKey(now)
      ? []
      : [`${place} is ${quoteArgument(now)}, was ${quoteArgument(before)}`]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const at = `${place}.${key}`
    if (!Object.hasOwn(now, key)) return [`${at} is missing, was ${quoteArgument(before[key]!)}`]
    if (!Object.hasOwn(before, key)) return [`${at} is new: ${quoteArgument(now[key]!)}`]
    return compareArguments(before[key]!, now[key]!, at)
  })
}

function quoteArgument(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** The JSON object or list of an answer, with or without a Markdown fence around it. */
function jsonIn(text: string): JsonValue | undefined {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text) ?? []
  const value = tryParseJson(fenced ?? text)
  return typeof value === 'object' && value !== null && !isRawNumber(value) ? value : undefined
}

/** The violations of a schema, a line each: `/price: Instance type "string" is invalid.` */
function brokenRules(value: JsonValue, schema: JsonValue): string[] {
  try {
    const plain = JSON.parse(JSON.stringify(value)) as unknown
    const validator = new Validator(JSON.parse(JSON.stringify(schema)) as Schema, '2020-12', false)
    const { errors } = validator.validate(plain)
    // The error of an outer value only repeats that an inner one is wrong.
    const inner = errors.filter(({ keyword }) => !AROUND.has(keyword))
    return [
      ...new Set(inner.map((error) => `${error.instanceLocation.slice(1) || '/'}: ${error.error}`)),
    ]
  } catch {
    // A schema that a provider accepts and the standard does not know is not checked.
    return []
  }
}

const AROUND = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
])

/**
 * Lists where the shapes of two values differ: a new or missing field, another type, another boolean. Another text,
 * another number and a longer list are no other shape.
 */
function shapeChanges(before: JsonValue, now: JsonValue, place: string = ''): string[] {
  const [was, is] = [typeOf(before), typeOf(now)]
  const at = place || '/'
  if (was !== is) return [`${at} is ${is}, was ${was}`]
  if (typeof before === 'boolean') return before === now ? [] : [`${at} is ${now}, was ${before}`]
  if (Array.isArray(before)) {
    // Items of a list are alike, so the first one stands for all.
    const [first, other] = [before[0], (now as JsonValue[])[0]]
    if (first === undefined || other === undefined)
      return first === other ? [] : [`${at} ${other === undefined ? 'is empty' : 'was empty'}`]
    return shapeChanges(first, other, `${place}/0`)
  }
  if (!isJsonObject(before) || !isJsonObject(now)) return []
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(now, key))
  const fresh = Object.keys(now).filter((key) => !Object.hasOwn(before, key))
  return [
    ...gone.map((key) => `${place}/${key} is missing`),
    ...fresh.map((key) => `${place}/${key} is new`),
    ...Object.keys(before).flatMap((key) =>
      Object.hasOwn(now, key) ? shapeChanges(before[key]!, now[key]!, `${place}/${key}`) : [],
    ),
  ]
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' || isRawNumber(value)) return 'a number'
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'string'
      ? 'a text'
      : 'true or false'
}

/**
 * Lists where two answers to one schema decide differently: another boolean, or another value of an `enum`. All other
 * texts and numbers count as words.
 */
function decisionChanges(
  before: JsonValue,
  now: JsonValue,
  schema: JsonObject,
  root: JsonObject = schema,
  place: string = '',
): string[] {
  const rules = resolveRef(schema, root)
  if (!isJsonObject(before) || !isJsonObject(now)) {
    const isChoice = typeof before === 'boolean' || Array.isArray(rules.enum)
    return isChoice && before !== now && !Array.isArray(before)
      ? [`${place || '/'} is ${JSON.stringify(now)}, was ${JSON.stringify(before)}`]
      : []
  }
  const properties = isJsonObject(rules.properties) ? rules.properties : {}
  return Object.keys(before).flatMap((key) => {
    if (!Object.hasOwn(now, key)) return []
    const inner = Object.hasOwn(properties, key) ? properties[key]! : {}
    const field = isJsonObject(inner) ? inner : {}
    return decisionChanges(before[key]!, now[key]!, field, root, `${place}/${key}`)
  })
}

function resolveRef(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: ref } = schema
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  const found = ref
    .slice(2)
    .split('/')
    .reduce<JsonValue | undefined>(
      (value, key) => (isJsonObject(value) ? value[key] : undefined),
      root,
    )
  return isJsonObject(found) && !('$ref' in found) ? found : schema
}

/** The field for a refusal of OpenAI, plain and streamed. */
const FIELD = /"refusal"\s*:\s*"[^"]|"type"\s*:\s*"(?:response\.)?refusal/

/** The opening words of a refusal. Later words of an answer can be about anything. */
const OPENING =
  /^\W*(?:(?:i['’]?m|i am) (?:very |so |truly |really )?sorry,? (?:but )?|unfortunately,? |i apologi[sz]e,? but |sorry,? (?:but )?)?(?:i (?:can(?:['’]?t|not)|am (?:not able|unable)|won['’]?t be able) ?(?:to )?|i['’]?m (?:not able|unable) to )(?:help(?! but\b)|assist|comply|fulfil|answer|provide|do|discuss|continue|support|share|engage|generate|create|write)\b/i

/** Whether the model refuses: by the finish reason, by a field, or by the opening words of its text, in English. */
export function isRefusal(completion: Completion, response?: WireResponse): boolean {
  if (finishOf(completion).includes('refusal')) return true
  if (response && FIELD.test(textOf(response.body))) return true
  return completion.toolCalls.length === 0 && OPENING.test(completion.text)
}

/** The words of providers for each kind of finish reason. */
const KINDS = {
  end: 'stop end_turn stop_sequence completed complete eos eos_token finish',
  tools: 'tool_calls tool_call tool_use function_call tool-calls',
  length: 'length max_tokens max_output_tokens incomplete model_length',
  refusal:
    'refusal content_filter content_filtered guardrail_intervened safety blocklist prohibited_content recitation spii image_safety error_toxic',
}

const kinds = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
)

/**
 * The kinds of finish reasons of an answer: `end`, `tools`, `length`, `refusal`, or the provider's own word. Some
 * providers say `stop` for a tool call, so in an answer with calls `end` becomes `tools`.
 */
function finishOf({ finishReasons, toolCalls }: Completion): string[] {
  const ends = finishReasons.map((word) => {
    const kind = kinds.get(word.toLowerCase()) ?? word.toLowerCase()
    return kind === 'end' && toolCalls.length > 0 ? 'tools' : kind
  })
  return [...new Set(ends)].sort()
}
