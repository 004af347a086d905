import type { Content, PromptPlace } from './prompt-change.ts'
import { jsonKey } from './json-key.ts'
import { messageKey, partKey, toolKey } from './message-key.ts'

/** A key that two places share exactly if they differ at most in the numbers of messages and parts. */
export function placeKey(place: PromptPlace): string {
  if (place.area === 'field') return JSON.stringify([place.area, place.path])
  if (place.area === 'tool') return JSON.stringify([place.area, place.tool, place.path])
  const { area, role, part, path } = place
  // Anthropic puts the results of tools into messages of the user, others do not.
  const whose = part?.type === 'tool_call_response' ? 'tool' : role
  return JSON.stringify([area, whose, part?.type ?? null, part?.tool ?? null, path])
}

/** A key that two contents share exactly if they are equal; ids of tool calls do not count. */
export function contentKey(content: Content): string {
  if (content.type === 'text') return JSON.stringify(content.text)
  if (content.type === 'value') return jsonKey(content.value)
  if (content.type === 'message') return messageKey(content.message)
  return content.type === 'part' ? partKey(content.part) : toolKey(content.tool)
}
