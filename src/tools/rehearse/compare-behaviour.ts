import { type Schema, Validator } from '@cfworker/json-schema'
import { compareJson } from '../../json/compare-json.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import { valueAt } from '../../json/walk.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import { jsonKey } from '../../prompt/json-key.ts'
import { textOf } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'

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

/**
 * Compares the behaviour of an answer with the recorded one: the same tools with the same arguments, the same finish
 * reason, JSON of the same shape. Words are no behaviour, and are reported apart.
 *
 * @param schema the response schema of the request
 * @returns no differences if the answer behaves as recorded, and whether it has another text
 */
export function compareBehaviour(
  before: Behaviour,
  now: Behaviour,
  schema?: JsonObject,
): { differences: BehaviourDifference[]; isWords: boolean } {
  const [was, is] = [before.completion, now.completion]
  const isWords = wordsOf(was) !== wordsOf(is)
  // A refusal also differs in its end, calls and shape, so it is reported as one difference.
  if (before.isRefusal !== now.isRefusal) return { differences: [refusal(now)], isWords }
  if (isEmpty(is) && !isEmpty(was))
    return { differences: [{ kind: 'empty', says: 'the answer is empty' }], isWords }
  const calls = compareCalls(was.toolCalls, is.toolCalls)
  const cut: BehaviourDifference[] =
    is.incomplete && !was.incomplete ? [{ kind: 'cut', says: 'the answer was cut' }] : []
  const differences = [...calls, ...cut, ...compareTexts(was, is, schema)]
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

function compareTexts(
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

function compareArguments(before: JsonValue, now: JsonValue, name: string): string[] {
  return compareJson(before, now, name, {
    below: (place, key) => `${place}.${key}`,
    differ(was, is, place) {
      if (is === undefined) return [`${place} is missing, was ${quoteArgument(was!)}`]
      if (was === undefined) return [`${place} is new: ${quoteArgument(is)}`]
      if (jsonKey(was) === jsonKey(is)) return []
      return [`${place} is ${quoteArgument(is)}, was ${quoteArgument(was)}`]
    },
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
    const inner = errors.filter(({ keyword }) => !AROUND.test(keyword))
    return [
      ...new Set(inner.map((error) => `${error.instanceLocation.slice(1) || '/'}: ${error.error}`)),
    ]
  } catch {
    // A schema that a provider accepts and the standard does not know is not checked.
    return []
  }
}

const AROUND = /^(?:properties|items|prefixItems|\$ref|allOf|additionalProperties)$/

/**
 * Lists where the shapes of two values differ: a new or missing field, another type, another boolean. Another text,
 * another number and a longer list are no other shape.
 */
function shapeChanges(before: JsonValue, now: JsonValue): string[] {
  return compareJson(before, now, '', {
    // First the fields that only one of them has.
    keys: (was, is) => {
      const only = [
        ...Object.keys(was).filter((key) => !Object.hasOwn(is, key)),
        ...Object.keys(is).filter((key) => !Object.hasOwn(was, key)),
      ]
      return new Set([...only, ...Object.keys(was)])
    },
    below: (place, key) => `${place}/${key}`,
    // Items of a list are alike, so the first one stands for all.
    items: ([first], [other], place) =>
      first === undefined || other === undefined
        ? undefined
        : [{ one: first, other, place: `${place}/0` }],
    differ(was, is, place) {
      const at = place || '/'
      if (is === undefined) return [`${at} is missing`]
      if (was === undefined) return [`${at} is new`]
      const [type, other] = [typeOf(was), typeOf(is)]
      if (type !== other) return [`${at} is ${other}, was ${type}`]
      if (typeof was === 'boolean') return [`${at} is ${is}, was ${was}`]
      if (!Array.isArray(was) || !Array.isArray(is) || was.length === is.length) return []
      return [`${at} ${is.length === 0 ? 'is empty' : 'was empty'}`]
    },
  })
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
function decisionChanges(before: JsonValue, now: JsonValue, schema: JsonObject): string[] {
  const rulesAt = (keys: readonly string[]): JsonObject =>
    keys.reduce<JsonObject>(
      (rules, key) => {
        const { properties } = rules
        const field = isJsonObject(properties) && Object.hasOwn(properties, key) && properties[key]
        return isJsonObject(field) ? resolveRef(field, schema) : {}
      },
      resolveRef(schema, schema),
    )
  return compareJson<string[], string>(before, now, [], {
    keys: (was, is) => Object.keys(was).filter((key) => Object.hasOwn(is, key)),
    below: (keys, key) => [...keys, key],
    differ(was, is, keys) {
      const isChoice = typeof was === 'boolean' || Array.isArray(rulesAt(keys).enum)
      return isChoice && !Array.isArray(was)
        ? [`/${keys.join('/')} is ${JSON.stringify(is)}, was ${JSON.stringify(was)}`]
        : []
    },
  })
}

function resolveRef(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: ref } = schema
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  const found = valueAt(root, ref.slice(2).split('/'))
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
