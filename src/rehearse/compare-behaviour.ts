import { jsonKey } from '../diff/compare/json-key.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import { compareCalls } from './compare-calls.ts'
import { decisionChanges } from './decisions.ts'
import type { Difference } from './difference.ts'
import { finishOf } from './finish.ts'
import { brokenRules, jsonIn, shapeChanges } from './json-shape.ts'

/** An answer, as far as it is compared. */
export interface Behaviour {
  completion: Completion
  /** The model did not want to. */
  isRefusal: boolean
}

/** What comparing two answers says. */
export interface Compared {
  /** Empty where the answer behaves as it did. */
  differences: Difference[]
  /** The answer says it in other words. */
  isWords: boolean
}

/**
 * Whether an answer behaves as the recorded one: the same tools with the same arguments, the same end, JSON of the same
 * shape. Words are no behaviour, and told apart.
 *
 * @param schema what the request says its answer must keep to
 */
export function compareBehaviour(before: Behaviour, now: Behaviour, schema?: JsonObject): Compared {
  const [was, is] = [before.completion, now.completion]
  const isWords = wordsOf(was) !== wordsOf(is)
  // A refusal ends otherwise, calls nothing and has no shape: it is one difference.
  if (before.isRefusal !== now.isRefusal) return { differences: [refusal(now)], isWords }
  if (isEmpty(is) && !isEmpty(was))
    return { differences: [{ kind: 'empty', says: 'the answer is empty' }], isWords }
  const calls = compareCalls(was.toolCalls, is.toolCalls)
  const cut: Difference[] =
    is.incomplete && !was.incomplete ? [{ kind: 'cut', says: 'the answer was cut' }] : []
  const differences = [...calls, ...cut, ...compareJson(was, is, schema)]
  // Who calls another number of tools ends for another reason.
  const finish = calls.some(({ kind }) => kind === 'tool') ? [] : compareFinish(was, is)
  return { differences: [...finish, ...differences], isWords }
}

function refusal(now: Behaviour): Difference {
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

function compareFinish(was: Completion, is: Completion): Difference[] {
  const [before, now] = [finishOf(was), finishOf(is)]
  // A wire format without reasons, or an answer that was cut before its own.
  if (before.length === 0 || now.length === 0 || before.join() === now.join()) return []
  const says = `ends with ${is.finishReasons.join(', ')}, ended with ${was.finishReasons.join(', ')}`
  return [{ kind: 'finish', says }]
}

function compareJson(
  was: Completion,
  is: Completion,
  schema: JsonObject | undefined,
): Difference[] {
  const before = jsonIn(was.text)
  // An answer that calls tools says nothing yet; one that is no JSON, though it should be, was none before.
  if (before === undefined || is.text.trim() === '') return []
  const now = jsonIn(is.text)
  if (now === undefined) return [{ kind: 'shape', says: 'the answer is no JSON any more' }]
  if (schema) {
    const known = new Set(brokenRules(before, schema))
    const broken = brokenRules(now, schema).filter((rule) => !known.has(rule))
    if (broken.length > 0)
      return broken.map((rule) => ({ kind: 'schema', says: `breaks the schema at ${rule}` }))
  }
  // With a schema, a field that may be missing is no other shape.
  const changes = schema ? decisionChanges(before, now, schema) : shapeChanges(before, now)
  return changes.map((says) => ({ kind: 'shape', says }))
}
