import { jsonKey } from '../../diff/compare/json-key.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { isAssistant } from './dialog.ts'

/**
 * How many messages at the beginning repeat what the model answered, as applications send it back.
 * One answer can be several messages: a thought, a text, a call each.
 */
export function echoLength(messages: readonly Message[], completion: Completion): number {
  let length = 0
  while (length < messages.length && isAssistant(messages[length]!)) length++
  return messages.slice(0, length).some((message) => repeats(message, completion)) ? length : 0
}

/** Where the last message stands that is the answer itself. */
export function findEcho(messages: readonly Message[], completion: Completion): number | undefined {
  const index = messages.findLastIndex(
    (message) => isAssistant(message) && message.parts.some((part) => isAnswer(part, completion)),
  )
  return index < 0 ? undefined : index
}

/** Where the answer would stand before the results of its calls, which alone are left of it. */
export function findResult(
  messages: readonly Message[],
  { toolCalls }: Completion,
): number | undefined {
  const ids = new Set(toolCalls.flatMap(({ id }) => id ?? []))
  const index = messages.findIndex(({ parts }) =>
    parts.some(
      (part) => part.type === 'tool_call_response' && part.id !== undefined && ids.has(part.id),
    ),
  )
  return index < 0 ? undefined : index - 1
}

function repeats(message: Message, completion: Completion): boolean {
  return message.parts.some((part) => {
    if (isAnswer(part, completion)) return true
    if (part.type !== 'text' || part.text.trim() === '' || completion.text === '') return false
    // An answer can go on from its beginning in the prompt, or be cut by the application.
    return part.text.includes(completion.text) || completion.text.includes(part.text)
  })
}

function isAnswer(part: Part, { text, toolCalls }: Completion): boolean {
  if (part.type === 'text') return text !== '' && part.text.trim() === text.trim()
  if (part.type !== 'tool_call') return false
  return toolCalls.some(({ id, name, arguments: args }) =>
    id === undefined || part.id === undefined
      ? name === part.name && jsonKey(args) === jsonKey(part.arguments)
      : id === part.id,
  )
}
