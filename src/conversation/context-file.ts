import { entryContent, type ContextContent, hasZone, readIsoTime } from './context.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json/json-value.ts'
import { equal } from '../json/walk.ts'
import type { AssistantEntry, Conversation, Entry } from './conversation.ts'
import type { Pictures } from './find-pictures.ts'
import { printParts } from './print-part.ts'
import { visitEntry } from './entries.ts'
import { CassetteError } from '../errors.ts'
import { layOutLine } from '../text/printable.ts'

/** A rule that an entry breaks. */
interface ContextProblem {
  /** The position in the array. */
  entry: number
  rule: ContextRule
  /** The value found instead, in words. */
  found: string
}

const FIELDS = ['index', 'turn', 'timestamp', 'role', 'content'] as const

/** The number of problems that an error lists. */
const MAX_LISTED = 10

/**
 * Reads the text of a context file and checks its seven rules. Returns the entries unchanged.
 *
 * @param name the file, for the error
 * @throws CassetteError `invalid-context` that names every broken rule and its entry.
 */
export function readContext(text: string, name: string): ContextEntry[] {
  const value = parseList(text, name)
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

function parseList(text: string, name: string): JsonValue[] {
  let problem = 'it is no JSON array'
  try {
    const value = parseJson(text.replace(/^\uFEFF/, ''))
    if (Array.isArray(value)) return value
  } catch (error) {
    problem = `it is no JSON: ${(error as Error).message}`
  }
  throw new CassetteError('invalid-context', `${name} is no context file: ${problem}.`)
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
    if (turn !== undefined && entry.turn !== undefined && entry.turn !== turn)
      report('turn', `turn is ${show(entry.turn)}, not ${turn}`)
    if (role !== undefined && !isRole(role)) report('role', `role is ${show(role)}`)
    const given = typeof timestamp === 'string' && hasZone(timestamp) ? readIsoTime(timestamp) : NaN
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

/** The turns that the entries should have; none where roles are wrong, since turns follow from the roles. */
function turnsOf(entries: readonly JsonValue[]): number[] {
  const read = entries.map((entry) => (isJsonObject(entry) ? entry : {}))
  const roles = read.flatMap(({ role }) => (isRole(role) ? role : []))
  if (roles.length < entries.length) return []
  return numberTurns(
    roles,
    read.map(({ turn }) => (typeof turn === 'number' ? turn : undefined)),
  )
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

/** One entry of the LLM context format, a JSON array of messages in order. Unknown fields are kept. */
export interface ContextEntry {
  /** Counts up by one from 0. */
  index: number
  turn: number
  /** ISO 8601; never earlier than the timestamp of the entry before. */
  timestamp: string
  role: 'system' | 'user' | 'assistant'
  content: string | UserContent | AssistantContent
}

/** The text of a user, together with the id of the user. */
interface UserContent {
  userid: string
  text: string
}

/** The answer of a model, if it is more than a text. */
interface AssistantContent {
  text?: string
  reasoning?: string
  /** The name of the tool that was called. */
  toolCall?: string
  /** The parameters of the call; they may also stand beside `toolCall`. */
  parameters?: JsonObject
  /** The result that the application sent back. */
  result?: JsonValue
}

/** The rules of the format, by the names that errors use. */
const CONTEXT_RULES = {
  fields: 'every entry is an object with index, turn, timestamp, role and content',
  index: 'indexes count up by one, from 0',
  turn: 'turns count up from 0: one begins with every user entry, or else with the first answer to one',
  role: 'a role is system, user or assistant',
  timestamp: 'timestamps are ISO 8601 with date, time and zone, and never run backwards',
  content:
    'content is a text, { userid, text } of a user, or { text, reasoning, toolCall, parameters, result } of an assistant',
  reasoning:
    'reasoning is given where there is any: a text that is not empty, of an assistant only',
} as const

type ContextRule = keyof typeof CONTEXT_RULES

type Role = ContextEntry['role']

/** Whether an entry of `role` begins a turn after an entry of the role `before`. */
type BeginsTurn = (role: Role, before: Role | undefined) => boolean

/** The ways in which people count turns. */
const WAYS: readonly BeginsTurn[] = [
  // A user opens a turn.
  (role) => role === 'user',
  // The answer to a user opens a turn.
  (role, before) => role === 'assistant' && before === 'user',
  // A change of speaker opens a turn.
  (role, before) => before !== undefined && role !== before,
]

/** The turns of entries with these roles, counted in the way that agrees best with the given turns. */
function numberTurns(roles: readonly Role[], given: ReadonlyArray<number | undefined>): number[] {
  const counted = WAYS.map((begins) => count(roles, begins))
  const misses = counted.map((turns) =>
    turns.filter((turn, index) => given[index] !== undefined && given[index] !== turn),
  )
  const least = Math.min(...misses.map(({ length }) => length))
  return counted[misses.findIndex(({ length }) => length === least)]!
}

/** Counts turns. A system entry never begins one. */
function count(roles: readonly Role[], begins: BeginsTurn): number[] {
  let turn = 0
  let before: Role | undefined
  return roles.map((role) => {
    if (role === 'system') return turn
    if (begins(role, before)) turn++
    before = role
    return turn
  })
}

type Unplaced = Pick<ContextEntry, 'timestamp' | 'role' | 'content'>

/**
 * A conversation in the LLM context format. Leaves out failed attempts and dropped messages. Each call of an answer
 * becomes an entry. Entries that came from a context stay as they were written there, but for their index.
 */
export function writeContext({ entries }: Conversation, pictures: Pictures): ContextEntry[] {
  const said = entries.flatMap((entry) => contentsOf(entry, pictures))
  const given = said.map((entry) => ('turn' in entry ? entry.turn : undefined))
  const turns = numberTurns(
    said.map(({ role }) => role),
    given,
  )
  return said.map((entry, index) =>
    'turn' in entry ? { ...entry, index } : { index, turn: turns[index]!, ...entry },
  )
}

function isSame({ text, reasoning, calls }: AssistantEntry, written: ContextContent): boolean {
  const said = calls.map(({ name, parameters, result = null }) => [name, parameters, result])
  const { call, result = null } = written
  const before = call ? [[call.name, call.parameters, result]] : []
  return text === written.text && reasoning === written.reasoning && equal(said, before)
}

/** What an entry says: as its context wrote it, unless its answer was edited since. */
function contentsOf(entry: Entry, pictures: Pictures): Array<Unplaced | ContextEntry> {
  const { time: timestamp, written } = entry
  return visitEntry<Array<Unplaced | ContextEntry>>(entry, {
    dropped: () => [],
    assistant: (answer) =>
      written && isSame(answer, entryContent(written))
        ? [written]
        : assistantContents(answer, pictures).map((content) => {
            return { timestamp, role: 'assistant', content }
          }),
    said({ role, parts, userId }) {
      const text = printParts(parts, pictures)
      if (written || text === '') return written ? [written] : []
      if (role === 'system') return [{ timestamp, role, content: text }]
      const content = userId === undefined ? text : { userid: userId, text }
      return [{ timestamp, role: 'user', content }]
    },
  })
}

function assistantContents(
  { text: said, more = [], reasoning, calls }: AssistantEntry,
  pictures: Pictures,
): ContextEntry['content'][] {
  const text = [said, printParts(more, pictures)].filter(Boolean).join('\n')
  const reason = reasoning ? { reasoning } : {}
  const contents = calls.map((call, index): AssistantContent => {
    const { name, parameters, result } = call
    const given = parametersOf(parameters)
    const toolCall = name === '' ? 'unnamed' : name
    const isFlat = (index > 0 || text === '') && !Object.keys(given).some((key) => OWN.has(key))
    return {
      ...(index > 0 || text === '' ? {} : { text }),
      toolCall,
      ...(isFlat ? given : { parameters: given }),
      ...(index > 0 ? {} : reason),
      ...(result === undefined ? {} : { result: resultOf(result) }),
    }
  })
  if (contents.length > 0) return contents
  if (text === '') return []
  return [reasoning ? { text, ...reason } : text]
}

/** Fields that are no parameters of a call whose parameters stand beside its name. */
const OWN = new Set(['toolCall', 'parameters', 'reasoning', 'reason', 'result'])

/** Arguments that are no object, which are rare, become a parameter of the name `arguments`. */
function parametersOf(parameters: JsonValue): JsonObject {
  return isJsonObject(parameters) ? parameters : { arguments: parameters }
}

function resultOf(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}
