import { isJsonObject, type JsonValue, readJsonText, type ReadJson } from '../json/json-value.ts'
import { valueAt } from '../json/walk.ts'
import * as z from 'zod/mini'
import { jsonTokens } from '../json/json-tokens.ts'
import { FORMAT_VERSION, type StoredCassette } from './format.ts'
import { cassetteSchema } from './format/schema.ts'
import { FILE_VERSION } from './patterns.ts'
import { idOfPlace } from './format/id-of-place.ts'
import { refuseFile } from './format/refuse-file.ts'

export { adviseOnForeign, hasMarkers } from './format/advise-on-text.ts'

const CONFLICT = /^(<{7}|={7}|>{7})/m

/**
 * Parses the text of a cassette file and checks all of it.
 *
 * @throws CassetteError `invalid-cassette` whose message is the problem alone: `at /exchanges/0/request: …`. Its cause is
 * the word of the format for it.
 */
export function parseCassette(text: string): StoredCassette {
  const { value, isTwice } = read(text.replace(/^\uFEFF/, ''))
  refuseOtherVersions(value)
  if (isTwice) refuseTwice(text)
  const result = cassetteSchema.safeParse(value)
  if (!result.success) {
    const issues = result.error.issues.flatMap((issue) => issuesOf(issue, value))
    const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
    const problem = describeIssue(unknown ?? issues[0]!, value)
    throw refuseFile(problem, unknown ? 'unsupported' : 'invalid')
  }
  // The value itself, not zod's copy: its keys keep the order in which they stand in the file.
  const stored = value as unknown as StoredCassette
  refuseSameIds(stored)
  return stored
}

function read(text: string): ReadJson {
  try {
    return readJsonText(text)
  } catch (error) {
    refuseConflict(text)
    const { message } = error as Error
    throw refuseFile(error instanceof SyntaxError ? `it is not JSON: ${message}` : message, 'json')
  }
}

/** Of a field that stands twice in an object, a reviewer could read the one that is not replayed. */
function refuseTwice(text: string): void {
  const [key, index] = fieldTwice(text)
  const line = text.slice(0, index).split('\n').length
  throw refuseFile(`line ${line} names the field ${key} a second time`, 'json')
}

/** The first key that an object has already, and its place. */
function fieldTwice(text: string): [key: string, index: number] {
  const open: Array<Set<string> | undefined> = []
  let last: [key: string, index: number] = ['', 0]
  for (const { token, index } of jsonTokens(text)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const keys = open.at(-1)!
      const key = JSON.parse(last[0]) as string
      if (keys.has(key)) break
      keys.add(key)
    }
    last = [token, index]
  }
  return last
}

/** A string in JSON never spans lines, so a file with a marker never parses. */
function refuseConflict(text: string): void {
  const conflict = CONFLICT.exec(text)
  if (conflict) {
    const line = text.slice(0, conflict.index).split('\n').length
    throw refuseFile(
      `line ${line} is a merge conflict marker; two branches recorded this test differently`,
      'json',
    )
  }
}

function refuseOtherVersions(value: JsonValue): void {
  const { version, exchanges } = isJsonObject(value) ? value : {}
  if (typeof version !== 'string') return
  if (parseInt(version) > parseInt(FORMAT_VERSION))
    throw refuseFile(
      `its format has version ${version}, and this release reads ${FORMAT_VERSION}; a newer vitest-cassette wrote it`,
      'version',
    )
  const isRecorded = (one: JsonValue): boolean =>
    isJsonObject(one) && (one.wire ?? one.request) !== undefined
  if (parseInt(version) < 2 && Array.isArray(exchanges) && exchanges.some(isRecorded))
    throw refuseFile(
      `it has recorded exchanges in version ${version} of the format, which no release wrote`,
      'version',
    )
  if (!FILE_VERSION.test(version))
    throw refuseFile(`${JSON.stringify(version)} is no version of the format`, 'version')
}

/** Refuses two exchanges with one id: a reference could not tell them apart. */
function refuseSameIds({ exchanges }: StoredCassette): void {
  const places = new Map<string, number>()
  for (const [index, { id: own }] of exchanges.entries()) {
    const id = own ?? idOfPlace(index)
    const first = places.get(id)
    if (first !== undefined)
      throw refuseFile(
        `at /exchanges/${index}/id: exchanges ${first + 1} and ${index + 1} are both called ${id}; give each an id of its own, or none`,
        'invalid',
      )
    places.set(id, index)
  }
}

/** What is wrong with a file, and where. */
export function describeIssue(issue: z.core.$ZodIssue, value: JsonValue): string {
  if (issue.code === 'invalid_union') return describeIssue(issuesOfKind(issue, value)[0]!, value)
  const place = `at /${issue.path.map(String).join('/')}`
  if (issue.code === 'unrecognized_keys') {
    return `${place}: unknown field ${issue.keys.map((key) => `'${key}'`).join(', ')}`
  }
  if (valueAt(value, issue.path) === undefined) return `${place}: this field is missing`
  if (issue.code === 'invalid_type') return `${place}: expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `${place}: expected one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_format')
    return issue.format === 'datetime'
      ? `${place}: expected a time in UTC, such as 2026-01-31T12:00:00.000Z`
      : `${place}: expected ${issue.pattern ?? issue.format}`
  if (issue.code === 'too_small') return `${place}: expected at least ${issue.minimum}`
  if (issue.code === 'too_big') return `${place}: expected at most ${issue.maximum}`
  return `${place}: ${issue.message}`
}

/** The issues of an issue: those of what the value is meant to be, if it may be one of two. */
function issuesOf(issue: z.core.$ZodIssue, value: JsonValue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  return issuesOfKind(issue, value).flatMap((one) => issuesOf(one, value))
}

/** The issues of what the value is meant to be: a recorded exchange or one written by hand, a text or its pieces. */
function issuesOfKind(
  { errors: [first, second], path }: z.core.$ZodIssueInvalidUnion,
  value: JsonValue,
): z.core.$ZodIssue[] {
  const given = valueAt(value, path)
  const isExchange = path.length === 2 && path[0] === 'exchanges'
  const isSecond = isExchange
    ? valueAt(given, ['request']) === undefined
    : typeof given === 'object' && given !== null
  return (isSecond ? second : first)!.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}
