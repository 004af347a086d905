import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import type { Message, Part } from '../prompt/prompt.ts'
import { dialects } from '../providers/dialects.ts'
import type { Conversation, DroppedEntry, Entry, SaidEntry } from './conversation.ts'
import { callsIn } from './entries.ts'
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
  const said = entries.filter(isSaid)
  const callCounts = new Map<string, number>()
  const messages = said.flatMap((entry): Message[] => {
    if (entry.role !== 'assistant') {
      const role = entry.role === 'system' ? 'system' : 'user'
      const isSplit = format === 'anthropic-messages' && role === 'user'
      return [{ role, parts: handedParts(entry, pictures, isSplit) }]
    }
    const text: Part[] = entry.text === '' ? [] : [{ type: 'text', text: entry.text }]
    const calls = entry.calls.map((call) => {
      const newId = nextId(entry.exchange)
      return { ...call, id: call.id ?? newId }
    })
    const results = calls.flatMap(({ id, result }): Part[] =>
      result === undefined && entry === said.at(-1)
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
  })
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

  /** Some providers send no ids of calls, and every format needs one. Several entries can be of one exchange. */
  function nextId(exchange: string): string {
    const count = (callCounts.get(exchange) ?? 0) + 1
    callCounts.set(exchange, count)
    return `call_${exchange.replace(/\W/g, '_')}_${count}`
  }
}

function isSaid(entry: Entry): entry is Exclude<Entry, DroppedEntry> {
  if (entry.role === 'dropped') return false
  return entry.role !== 'assistant' || entry.text !== '' || entry.calls.length > 0
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
  return named.length + countBlobs(callsIn(entries).map(({ result = null }) => result))
}

function countBlobs(value: JsonValue): number {
  if (isJsonObject(value) && value.type === 'blob' && typeof value.hash === 'string') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + countBlobs(inner), 0)
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
