import { layOutLine } from '../../diff/render/printable.ts'
import { CassetteError } from '../../errors.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../../json/json-value.ts'
import { CONTEXT_RULES, type ContextEntry, type ContextRule } from './context-entry.ts'
import { numberTurns } from './number-turns.ts'

/** A rule that an entry breaks. */
export interface ContextProblem {
  /** The position in the array. */
  entry: number
  rule: ContextRule
  /** The value found instead, in words. */
  found: string
}

const FIELDS = ['index', 'turn', 'timestamp', 'role', 'content'] as const

const ISO_8601 = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** The number of problems that an error lists. */
const MAX_LISTED = 10

/**
 * Reads the text of a context file and checks its seven rules. Returns the entries unchanged.
 *
 * @param name the file, for the error
 * @throws CassetteError `invalid-context` that names every broken rule and its entry.
 */
export function readContext(text: string, name: string): ContextEntry[] {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (!Array.isArray(value)) {
    const problem = value === undefined ? 'it is no JSON' : 'it is no JSON array'
    throw new CassetteError('invalid-context', `${name} is no context file: ${problem}.`)
  }
  const problems = checkContext(value)
  if (problems.length === 0) return value as unknown as ContextEntry[]
  const lines = problems
    .slice(0, MAX_LISTED)
    .map(
      ({ entry, rule, found }) =>
        `  entry ${entry}, rule '${rule}': ${found}\n    ${CONTEXT_RULES[rule]}`,
    )
  const more = problems.length - lines.length
  throw new CassetteError(
    'invalid-context',
    `${name} breaks the LLM context format:\n${lines.join('\n')}` +
      (more > 0 ? `\n  and ${more} more` : ''),
  )
}

/** Every rule that is broken, in the order of the entries. */
function checkContext(entries: JsonValue[]): ContextProblem[] {
  const problems: ContextProblem[] = []
  const turns = turnsOf(entries)
  let time = -Infinity
  for (const [position, entry] of entries.entries()) {
    const report = (rule: ContextRule, found: string): void =>
      void problems.push({ entry: position, rule, found })
    if (!isJsonObject(entry)) {
      report('fields', `it is ${show(entry)}`)
      continue
    }
    const missing = FIELDS.filter((field) => entry[field] === undefined)
    if (missing.length > 0) report('fields', `${missing.join(', ')} missing`)
    const { index, timestamp, role } = entry
    const turn = turns[position]
    if (index !== undefined && index !== position)
      report('index', `index is ${show(index)}, not ${position}`)
    if (entry.turn !== undefined && entry.turn !== turn)
      report('turn', `turn is ${show(entry.turn)}, not ${turn}`)
    if (role !== undefined && !isRole(role)) report('role', `role is ${show(role)}`)
    const given = typeof timestamp === 'string' ? timeOf(timestamp) : NaN
    if (timestamp !== undefined && Number.isNaN(given))
      report('timestamp', `timestamp is ${show(timestamp)}`)
    else if (given < time) report('timestamp', `${show(timestamp!)} is before the entry above`)
    if (given > time) time = given
    if (entry.content !== undefined && isRole(role)) checkContent(entry.content, role, report)
  }
  return problems
}

function checkContent(
  content: JsonValue,
  role: ContextEntry['role'],
  report: (rule: ContextRule, found: string) => void,
): void {
  if (typeof content === 'string') {
    if (content === '') report('content', 'content is an empty text')
    return
  }
  if (!isJsonObject(content)) return report('content', `content is ${show(content)}`)
  const { text, toolCall, userid, parameters } = content
  const reasoning = content.reasoning ?? (role === 'assistant' ? content.reason : undefined)
  if (
    reasoning !== undefined &&
    (role !== 'assistant' || typeof reasoning !== 'string' || reasoning === '')
  )
    report('reasoning', `reasoning of ${role} is ${show(reasoning)}`)
  if (role === 'assistant') {
    if (!isText(text) && !isText(toolCall)) report('content', 'neither text nor toolCall is given')
    if (toolCall !== undefined && !isText(toolCall))
      report('content', `toolCall is ${show(toolCall)}`)
    if (parameters !== undefined && !isJsonObject(parameters))
      report('content', `parameters is ${show(parameters)}`)
  } else {
    if (!isText(text)) report('content', `text is ${show(text)}`)
    if (role === 'user' && !isText(userid)) report('content', `userid is ${show(userid)}`)
  }
}

/** The turns that the entries should have. */
function turnsOf(entries: readonly JsonValue[]): number[] {
  const read = entries.map((entry) => (isJsonObject(entry) ? entry : {}))
  const roles = read.map(({ role }) => (isRole(role) ? role : 'system'))
  return numberTurns(
    roles,
    read.map(({ turn }) => (typeof turn === 'number' ? turn : undefined)),
  )
}

/** The time of a timestamp; NaN if it is not ISO 8601 or names a day that no calendar has. */
function timeOf(timestamp: string): number {
  const day = ISO_8601.exec(timestamp)?.[1]
  if (day === undefined || !Date.parse(day)) return NaN
  return new Date(day).toISOString().startsWith(day) ? Date.parse(timestamp) : NaN
}

function isRole(role: JsonValue | undefined): role is ContextEntry['role'] {
  return role === 'system' || role === 'user' || role === 'assistant'
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing'
  const text = layOutLine(JSON.stringify(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
