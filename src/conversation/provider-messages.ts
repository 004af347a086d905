import type { JsonValue } from '../json/json-value.ts'
import { everyValue } from '../json/walk.ts'
import { isFilePart, type Message, type Part } from '../prompt/prompt.ts'
import { dialects } from '../providers/dialects.ts'
import type { AssistantEntry, Conversation, Entry, SaidEntry } from './conversation.ts'
import { callsIn, visitEntry } from './entries.ts'
import type { Pictures } from './find-pictures.ts'
import { printPart, printParts } from './print-part.ts'

/** The part of a request body that holds a conversation. Further messages are appended to its list. */
export type ProviderMessages<Format extends ProviderFormat = ProviderFormat> = {
  'openai-chat': { messages: JsonValue[] }
  'anthropic-messages': { system?: string; messages: JsonValue[] }
  'openai-responses': { instructions?: string; input: JsonValue[] }
}[Format]

/** A wire format in which a conversation can be handed to a provider. */
export type ProviderFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** Every format, for messages and checks. */
export const PROVIDER_FORMATS: readonly ProviderFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
]

/**
 * Turns a conversation into messages that a provider takes, whichever it was recorded with. Leaves out failed
 * attempts. Gives a call without a result an empty one, unless the conversation ends with the call, since
 * providers refuse it otherwise.
 */
export function providerMessages(
  { entries }: Conversation,
  format: ProviderFormat,
  pictures: Pictures,
): ProviderMessages {
  const last = entries.findLast((entry) => !isEmpty(entry))
  const callCounts = new Map<string, number>()
  const messages = entries.flatMap((entry) =>
    visitEntry<Message[]>(entry, {
      dropped: () => [],
      said(message) {
        const role = message.role === 'system' ? 'system' : 'user'
        const isSplit = format === 'anthropic-messages' && role === 'user'
        return [{ role, parts: handedParts(message, pictures, isSplit) }]
      },
      assistant: (answer) => (isEmpty(answer) ? [] : answered(answer)),
    }),
  )
  const { writePrompt } = dialects.find(({ name }) => name === format)!
  const base64 = new Map(Array.from(pictures, ([hash, picture]) => [hash, picture.base64]))
  // A limit of tokens, which Anthropic requires, is no part of a conversation.
  const { max_tokens: _, ...written } = writePrompt!({
    messages,
    tools: [],
    parameters: {},
    pictures: base64,
  })
  return written as ProviderMessages

  function answered(answer: AssistantEntry): Message[] {
    const text: Part[] = answer.text === '' ? [] : [{ type: 'text', text: answer.text }]
    const calls = answer.calls.map((call) => {
      const newId = nextId(answer.exchange)
      return { ...call, id: call.id ?? newId }
    })
    const results = calls.flatMap(({ id, result }): Part[] =>
      result === undefined && answer === last
        ? []
        : [{ type: 'tool_call_response', id, result: result ?? '' }],
    )
    const called = calls.map(({ id, name, parameters }): Part => {
      return { type: 'tool_call', id, name, arguments: parameters }
    })
    return [
      { role: 'assistant', parts: [...text, ...called] },
      ...(results.length > 0 ? [{ role: 'tool', parts: results }] : []),
    ]
  }

  /** Some providers send no ids of calls, and every format needs one. Several entries can be of one exchange. */
  function nextId(exchange: string): string {
    const count = (callCounts.get(exchange) ?? 0) + 1
    callCounts.set(exchange, count)
    return `call_${exchange.replace(/\W/g, '_')}_${count}`
  }
}

/** Whether nothing of an entry is sent again. */
function isEmpty(entry: Entry): boolean {
  return visitEntry(entry, {
    dropped: () => true,
    said: () => false,
    assistant: ({ text, calls }) => text === '' && calls.length === 0,
  })
}

/** The parts of a message as they are sent again: pictures where their files are known, all else as text. */
function handedParts({ role, parts }: SaidEntry, pictures: Pictures, isSplit: boolean): Part[] {
  const handed = parts.map((part): Part => {
    const image = imageOf(part, pictures)
    return image ?? { type: 'text', text: printPart(part, pictures) }
  })
  if (isSplit || (role !== 'system' && handed.some(({ type }) => type === 'blob'))) return handed
  return [{ type: 'text', text: printParts(parts, pictures) }]
}

/** How many pictures and files of a conversation its messages for a provider only name. */
export function countOnlyNamed(entries: readonly Entry[], pictures: Pictures): number {
  const parts = entries.flatMap((entry) => ('parts' in entry ? entry.parts : []))
  const named = parts.filter((part) => part.type === 'blob' && !imageOf(part, pictures))
  // The result of a tool is written as text, so its pictures are named there.
  const results = callsIn(entries).map(({ result = null }) => result)
  return named.length + [...everyValue(results)].filter(isFilePart).length
}

/** A picture whose file is known. */
function imageOf(part: Part, pictures: Pictures): Part | undefined {
  const picture = part.type === 'blob' && pictures.get(part.hash)
  if (!picture) return undefined
  const { mimeType = IMAGES.get(picture.name.split('.').at(-1)!) } = part
  return mimeType?.startsWith('image/') ? { ...part, mimeType } : undefined
}

const IMAGES = new Map([
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['jpg', 'image/jpeg'],
])
