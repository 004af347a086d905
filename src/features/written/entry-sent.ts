import type { ContextEntry } from '../../conversation/context-file.ts'
import { isJsonObject, tryParseJson } from '../../json/json-value.ts'

/**
 * The content of an entry of a context in a text that is that entry, or its content, as JSON: some applications send
 * those to the model as they are. `undefined` for all other texts.
 */
export function contentSent(text: string): Pick<ContextEntry, 'content'> | undefined {
  const value = text.trimStart().startsWith('{') ? tryParseJson(text) : undefined
  if (!isJsonObject(value)) return undefined
  const content = 'role' in value && 'content' in value ? value.content : value
  const isEntry = content !== value || 'toolCall' in value || ('userid' in value && 'text' in value)
  return isEntry ? ({ content } as unknown as Pick<ContextEntry, 'content'>) : undefined
}
