import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { compareCalls } from './compare-calls.ts'
import { decisionChanges } from './decisions.ts'
import type { BehaviourDifference } from './difference.ts'
import { finishOf } from './finish.ts'
import { brokenRules, jsonIn, shapeChanges } from './json-shape.ts'
import { jsonKey } from '../../prompt/json-key.ts'

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
