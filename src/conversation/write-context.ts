import { entryContent, type ContextContent } from './context.ts'
import { type AssistantContent, type ContextEntry, numberTurns } from './read-context.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { sameJson } from '../json/same-json.ts'
import type { AssistantEntry, Conversation, Entry } from './conversation.ts'
import type { Pictures } from './find-pictures.ts'
import { printParts } from './print-part.ts'
import { visitEntry } from './entries.ts'

type Unplaced = Pick<ContextEntry, 'timestamp' | 'role' | 'content'>

/**
 * A conversation in the LLM context format. Leaves out failed attempts and dropped messages. Each call of an answer
 * becomes an entry. Entries that came from a context stay as they were written there, but for their index.
 */
export function writeContext({ entries }: Conversation, pictures: Pictures): ContextEntry[] {
  const said = entries.flatMap((entry): Array<Unplaced | ContextEntry> => {
    const asWritten = writtenOf(entry)
    return asWritten ? [asWritten] : contentsOf(entry, pictures)
  })
  const given = said.map((entry) => ('turn' in entry ? entry.turn : undefined))
  const turns = numberTurns(
    said.map(({ role }) => role),
    given,
  )
  return said.map((entry, index) =>
    'turn' in entry ? { ...entry, index } : { index, turn: turns[index]!, ...entry },
  )
}

/** The entry of a context as it was written, unless its answer was edited since. */
function writtenOf(entry: Entry): ContextEntry | undefined {
  if (entry.role === 'dropped' || !entry.written) return undefined
  if (entry.role !== 'assistant') return entry.written
  return isSame(entry, entryContent(entry.written)) ? entry.written : undefined
}

function isSame({ text, reasoning, calls }: AssistantEntry, written: ContextContent): boolean {
  const said = calls.map(({ name, parameters, result = null }) => [name, parameters, result])
  const { call, result = null } = written
  const before = call ? [[call.name, call.parameters, result]] : []
  return text === written.text && reasoning === written.reasoning && sameJson(said, before)
}

function contentsOf(entry: Entry, pictures: Pictures): Unplaced[] {
  const { time: timestamp } = entry
  return visitEntry<Unplaced[]>(entry, {
    dropped: () => [],
    assistant: (answer) =>
      assistantContents(answer, pictures).map((content) => ({
        timestamp,
        role: 'assistant',
        content,
      })),
    said: ({ role, parts, userId }) => {
      const text = printParts(parts, pictures)
      if (text === '') return []
      if (role === 'system') return [{ timestamp, role, content: text }]
      return [
        {
          timestamp,
          role: 'user',
          content: userId === undefined ? text : { userid: userId, text },
        },
      ]
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
