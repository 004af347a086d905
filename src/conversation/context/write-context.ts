import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { AssistantContent, ContextEntry } from './context-entry.ts'
import type { AssistantEntry, Conversation, Entry } from '../conversation.ts'
import type { Pictures } from '../transcript/pictures.ts'
import { printParts } from '../transcript/print-part.ts'

/**
 * A conversation in the LLM context format. Attempts that failed and what was dropped are no part of
 * it; several calls of one answer are an entry each.
 */
export function writeContext({ entries }: Conversation, pictures: Pictures): ContextEntry[] {
  const context: ContextEntry[] = []
  let turn = 0
  for (const entry of entries) {
    for (const { role, content } of contentsOf(entry, pictures)) {
      if (role === 'user') turn++
      context.push({ index: context.length, turn, timestamp: entry.time, role, content })
    }
  }
  return context
}

function contentsOf(
  entry: Entry,
  pictures: Pictures,
): Array<Pick<ContextEntry, 'role' | 'content'>> {
  if (entry.role === 'dropped') return []
  if (entry.role === 'assistant') {
    return assistantContents(entry, pictures).map((content) => ({ role: 'assistant', content }))
  }
  const text = printParts(entry.parts, pictures)
  if (text === '') return []
  if (entry.role === 'system') return [{ role: 'system', content: text }]
  const { userId } = entry
  return [{ role: 'user', content: userId === undefined ? text : { userid: userId, text } }]
}

function assistantContents(
  { text: said, more = [], reasoning, calls }: AssistantEntry,
  pictures: Pictures,
): ContextEntry['content'][] {
  const text = [said, printParts(more, pictures)].filter(Boolean).join('\n')
  const words = { ...(text === '' ? {} : { text }), ...(reasoning ? { reasoning } : {}) }
  const contents = calls.map((call, index): AssistantContent => {
    const { name, parameters, result } = call
    return {
      ...(index === 0 ? words : {}),
      toolCall: name === '' ? 'unnamed' : name,
      parameters: parametersOf(parameters),
      ...(result === undefined ? {} : { result: resultOf(result) }),
    }
  })
  if (contents.length > 0) return contents
  if (text === '') return []
  return [reasoning ? words : text]
}

/** A call whose arguments are no object is rare enough to be given a name. */
function parametersOf(parameters: JsonValue): JsonObject {
  return isJsonObject(parameters) ? parameters : { arguments: parameters }
}

function resultOf(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}
