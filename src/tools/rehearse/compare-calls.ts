import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import type { ToolCall } from '../../prompt/completion.ts'
import type { BehaviourDifference } from './difference.ts'
import { jsonKey } from '../../prompt/json-key.ts'

/** The most characters of a value that are shown. */
const MAX_LENGTH = 60

/** Compares tool calls regardless of their order. */
export function compareCalls(
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
    return jsonKey(before) === jsonKey(now) ? [] : [`${place} is ${show(now)}, was ${show(before)}`]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const at = `${place}.${key}`
    if (!Object.hasOwn(now, key)) return [`${at} is missing, was ${show(before[key]!)}`]
    if (!Object.hasOwn(before, key)) return [`${at} is new: ${show(now[key]!)}`]
    return compareArguments(before[key]!, now[key]!, at)
  })
}

function show(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
