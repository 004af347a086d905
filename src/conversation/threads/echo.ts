import { jsonKey } from '../../diff/compare/json-key.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { isAssistant } from './keyed-messages.ts'

/**
 * The number of messages at the beginning that repeat the answer of the model, as applications send it back.
 * One answer can be several messages: one each for reasoning, a text, a call.
 */
export function echoLength(messages: readonly Message[], completion: Completion): number {
  let length = 0
  while (length < messages.length && isAssistant(messages[length]!)) length++
  return messages.slice(0, length).some((message) => repeats(message, completion)) ? length : 0
}

/** The index of the last message that is the answer itself. */
export function findEcho(messages: readonly Message[], completion: Completion): number | undefined {
  const index = messages.findLastIndex(
    (message) => isAssistant(message) && message.parts.some((part) => isAnswer(part, completion)),
  )
  return index < 0 ? undefined : index
}

/** The index before the first result of the answer's calls, for prompts that hold only the results of it. */
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
    // An answer can continue a beginning in the prompt, and an application can cut an answer.
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
