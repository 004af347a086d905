import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { AssistantEntry, Conversation, Entry } from '../../conversation/conversation.ts'
import { callsIn, findCall, type PairedCall, visitEntry } from '../../conversation/entries.ts'
import type { Pictures } from '../../conversation/find-pictures.ts'
import { printParts } from '../../conversation/print-part.ts'
import { defined } from '../../providers/fields.ts'
import type { StoredMessage } from '../stored-message.ts'

const FIRST_THREAD = 'thread-1'

/**
 * Entries of a conversation as lines: each message, then the result of each of its tool calls. A line names the number
 * of messages that the application dropped before it.
 */
export function messagesOf(
  entries: readonly Entry[],
  thread: string,
  pictures: Pictures,
): StoredMessage[] {
  let left = 0
  return entries.flatMap((entry) => {
    const { time: timestamp, turn, exchange } = entry
    const place = { timestamp, turn, thread, exchange }
    const [first, ...rest] = visitEntry<StoredMessage[]>(entry, {
      dropped({ messages }) {
        left += messages
        return []
      },
      said({ role, parts, userId }) {
        const content = printParts(parts, pictures)
        if (role === 'system') return [{ role: 'user', content, ...place, said_by: 'system' }]
        return [defined({ role, content, ...place, user_id: userId || undefined })]
      },
      assistant: (answer) => answerLines(answer, place),
    })
    if (!first) return []
    const dropped = left > 0 ? { dropped: left } : {}
    left = 0
    return [{ ...first, ...dropped }, ...rest]
  })
}

function answerLines(
  { role, text, reasoning, completion, turn, ...entry }: AssistantEntry,
  place: Pick<StoredMessage, 'timestamp' | 'turn' | 'thread' | 'exchange'>,
): StoredMessage[] {
  // A line of a tool names its call, though some formats and contexts give calls no id.
  const calls = entry.calls.map((call, index) =>
    call.id === undefined && call.result !== undefined
      ? { ...call, id: `call_${turn}_${index + 1}` }
      : call,
  )
  const said: StoredMessage = defined({
    role,
    content: text,
    ...place,
    reasoning: reasoning || undefined,
    tool_calls: calls.length > 0 ? calls.map(asCalled) : undefined,
    error: completion?.error,
  })
  const answered = calls.flatMap(({ id, name, result, extra }): StoredMessage[] => {
    if (result === undefined) return []
    const which = { tool_name: name || 'unnamed', tool_use_id: id! }
    const failed = extra?.is_error === true ? { is_error: true } : {}
    return [{ role: 'tool', content: result, ...place, ...which, ...failed }]
  })
  return [said, ...answered]
}

/** A call without its result, which has a line of its own. */
function asCalled(call: PairedCall): PairedCall {
  const { result: _, extra: __, ...called } = call
  return called
}

/** Reads the threads from lines. Puts the result of a tool with its call. */
export function threadsInLines(
  messages: readonly StoredMessage[],
): Pick<Conversation, 'thread' | 'entries'>[] {
  const turns = new Map<string, number>()
  const byThread = new Map<string, Entry[]>()
  for (const message of messages) {
    const thread = message.thread ?? FIRST_THREAD
    const entries = byThread.get(thread) ?? []
    byThread.set(thread, entries)
    const isUser = message.role === 'user' && message.said_by === undefined
    const turn = message.turn ?? (turns.get(thread) ?? 0) + (isUser ? 1 : 0)
    turns.set(thread, turn)
    addMessage(message, entries, turn)
  }
  return Array.from(byThread, ([thread, entries]) => ({ thread, entries }))
}

function addMessage(message: StoredMessage, entries: Entry[], turn: number): void {
  const { content, timestamp: time, exchange = '' } = message
  const role = message.said_by ?? message.role
  const place = { time, turn, exchange }
  if (message.dropped !== undefined)
    entries.push({ role: 'dropped', messages: message.dropped, ...place })
  if (role === 'dropped') return
  if (role === 'assistant') {
    entries.push({ ...assistantOf(message), ...place })
    return
  }
  const isAnswer = message.tool_name !== undefined || message.tool_use_id !== undefined
  if (role === 'tool' && isAnswer) {
    pair(message, entries, place)
    return
  }
  const parts = [{ type: 'text' as const, text: contentText(content) }]
  entries.push(defined({ role, parts, userId: message.user_id, ...place }))
}

/** Adds a result to its call. If the call is lost, makes one in the assistant entry before, or in a new one. */
function pair(
  message: StoredMessage,
  entries: Entry[],
  place: Pick<AssistantEntry, 'time' | 'turn' | 'exchange'>,
): void {
  const { tool_name: name, tool_use_id: id, content: result } = message
  const extra: { extra?: JsonObject } = isFailure(message) ? { extra: { is_error: true } } : {}
  const known = callsIn(entries).filter((call) => name === undefined || call.name === name)
  const call = findCall(known, id)
  if (call) {
    Object.assign(call, { result, ...extra })
    return
  }
  const alone: PairedCall = defined({ id, name: name ?? '', parameters: {}, result, ...extra })
  const last = entries.at(-1)
  if (last?.role === 'assistant') last.calls.push(alone)
  else entries.push({ role: 'assistant', text: '', calls: [alone], ...place })
}

/** Whether a tool reports a failure: beside its result, or in it as MCP and Bedrock do. */
function isFailure(message: StoredMessage): boolean {
  const { content } = message
  const places = [message as unknown as JsonObject, isJsonObject(content) ? content : {}]
  return places.some(
    (place) => place.is_error === true || place.isError === true || place.status === 'error',
  )
}

function assistantOf({
  content,
  reasoning,
  tool_calls: told = [],
  error,
}: StoredMessage): Omit<AssistantEntry, 'time' | 'turn' | 'exchange'> {
  const blocks = Array.isArray(content) ? content : []
  const calls = [...told.map((call) => ({ ...call })), ...blocks.flatMap(callIn)]
  const rest = Array.isArray(content)
    ? blocks.filter((block) => callIn(block).length === 0)
    : content
  const text = Array.isArray(rest) && rest.length === 0 ? '' : contentText(rest)
  const completion =
    error === undefined ? undefined : { text, toolCalls: [], finishReasons: [], error }
  return defined({ role: 'assistant', text, reasoning, calls, completion })
}

/** A call among the blocks of a content, as Anthropic and Bedrock spell it. */
function callIn(block: JsonValue): PairedCall[] {
  if (!isJsonObject(block)) return []
  const call = block.type === 'tool_use' ? block : isJsonObject(block.toolUse) ? block.toolUse : {}
  const { name, input = {} } = call
  if (typeof name !== 'string') return []
  const id = call.id ?? call.toolUseId
  return [defined({ id: typeof id === 'string' ? id : undefined, name, parameters: input })]
}

/** A content as a text: blocks of text one under the other, any other JSON as it is written. */
export function contentText(content: JsonValue): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? content : [content]
  const texts = blocks.map((block) => {
    if (typeof block === 'string') return block
    return isJsonObject(block) && typeof block.text === 'string' ? block.text : undefined
  })
  return texts.includes(undefined) ? JSON.stringify(content) : texts.join('\n')
}
