import { countOf } from '../diff/render/count-of.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../json/json-value.ts'

const ONE_EACH = 'A cassette is one conversation: put each into a file of its own, and import that.'

/**
 * Advises on the text of a file that is neither a history nor a context, by what it seems to be; `undefined` if it
 * seems to be one that is only wrong in a detail.
 */
export function adviseOnFile(text: string): string | undefined {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (value === undefined) return adviseOnLines(text)
  if (Array.isArray(value)) return adviseOnList(value)
  if (!isJsonObject(value) || 'trajectory' in value) return undefined
  const isHistory = ['version', 'conversation_id', 'exchanges'].some((name) => name in value)
  if (isHistory) return undefined
  return (
    'It is none of the files that can be read: a history has version, conversation_id, timestamp and exchanges; ' +
    'a context is a list of entries; a stored conversation has metadata and messages. docs/conversations.md shows each.'
  )
}

/** Lines that each hold JSON: messages of one conversation, or several conversations. */
function adviseOnLines(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map((line) => tryParseJson(line.replace(/^\uFEFF/, '')))
  if (lines.length < 2 || !values.every((value) => typeof value === 'object')) return undefined
  if (values.every((value) => isJsonObject(value) && 'role' in value))
    return 'Each of its lines is a message. Stored messages are read from files whose names end in .jsonl; a context is one list: [ … ].'
  return `Each of its ${lines.length} lines is JSON. ${ONE_EACH}`
}

function adviseOnList(list: readonly JsonValue[]): string | undefined {
  if (list.length === 0) return undefined
  if (list.every((one) => isJsonObject(one) && one.type === 'tool_use' && 'input' in one))
    return 'It holds the actions of an agent, and no prompt that a request could be compared with. Record the test once: RECORD=1 npx vitest'
  if (list.every((one) => Array.isArray(one) || (isJsonObject(one) && 'exchanges' in one)))
    return `It is a list of ${countOf(list.length, 'conversation')}. ${ONE_EACH}`
  return undefined
}
