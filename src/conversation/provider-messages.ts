import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Part } from '../prompt/prompt.ts'
import type { Conversation, Entry } from './conversation.ts'
import type { PairedCall } from './entries.ts'
import type { Pictures } from './find-pictures.ts'
import { printPart, printParts } from './print-part.ts'

/** The part of a request body that holds a conversation. Further messages are appended to its list. */
export type ProviderMessages<Format extends ProviderFormat = ProviderFormat> = {
  'openai-chat': { messages: JsonValue[] }
  'anthropic-messages': { system?: string; messages: JsonValue[] }
  'openai-responses': { instructions?: string; input: JsonValue[] }
}[Format]

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
  const said = withNamedCalls(entries.filter(isSaid))
  const content = (entry: Entry): JsonValue => providerContent(entry, format, pictures)
  const last = said.at(-1)
  const resultOf = (entry: Entry, { result }: PairedCall): string | undefined => {
    if (result === undefined) return entry === last ? undefined : ''
    return typeof result === 'string' ? result : JSON.stringify(result)
  }

  if (format === 'openai-chat')
    return { messages: said.flatMap((entry) => chatMessages(entry, content(entry), resultOf)) }
  const system = said.flatMap((entry) =>
    entry.role === 'system' ? printParts(entry.parts, pictures) : [],
  )
  const rest = said.filter((entry) => entry.role !== 'system')
  if (format === 'openai-responses') {
    const input = rest.flatMap((entry) => responseItems(entry, content(entry), resultOf))
    return { ...(system.length > 0 ? { instructions: system.join('\n\n') } : {}), input }
  }
  const messages = merge(
    rest.flatMap((entry) => anthropicMessages(entry, content(entry), resultOf)),
  )
  return { ...(system.length > 0 ? { system: system.join('\n\n') } : {}), messages }
}

type NamedCall = PairedCall & { id: string }

/** An entry whose calls all have an id. */
type Said =
  | Exclude<Entry, { role: 'assistant' }>
  | (Omit<Extract<Entry, { role: 'assistant' }>, 'calls'> & { calls: NamedCall[] })

type ResultOf = (entry: Entry, call: PairedCall) => string | undefined

function isSaid(entry: Entry): boolean {
  if (entry.role === 'dropped') return false
  return entry.role !== 'assistant' || entry.text !== '' || entry.calls.length > 0
}

function chatMessages(entry: Said, content: JsonValue, resultOf: ResultOf): JsonObject[] {
  if (entry.role !== 'assistant')
    return [{ role: entry.role === 'system' ? 'system' : 'user', content }]
  const { calls } = entry
  const message = {
    role: 'assistant',
    content: entry.text === '' && calls.length > 0 ? null : entry.text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, parameters }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(parameters) },
          })),
        }),
  } as JsonObject
  return [
    message,
    ...results(entry, calls, resultOf, (id, content) => ({
      role: 'tool',
      tool_call_id: id,
      content,
    })),
  ]
}

function responseItems(entry: Said, content: JsonValue, resultOf: ResultOf): JsonObject[] {
  if (entry.role !== 'assistant') return [{ role: 'user', content }]
  const { calls } = entry
  return [
    ...(entry.text === '' ? [] : [{ role: 'assistant', content: entry.text }]),
    ...calls.map(({ id, name, parameters }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(parameters),
    })),
    ...results(entry, calls, resultOf, (id, output) => ({
      type: 'function_call_output',
      call_id: id,
      output,
    })),
  ]
}

function anthropicMessages(entry: Said, said: JsonValue, resultOf: ResultOf): JsonObject[] {
  if (entry.role !== 'assistant') return [{ role: 'user', content: said }]
  const { calls } = entry
  const content = [
    ...(entry.text === '' ? [] : [{ type: 'text', text: entry.text }]),
    ...calls.map(({ id, name, parameters }) => ({
      type: 'tool_use',
      id,
      name,
      input: isJsonObject(parameters) ? parameters : { arguments: parameters },
    })),
  ]
  const given = results(entry, calls, resultOf, (id, content) => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
  }))
  return [
    { role: 'assistant', content },
    ...(given.length > 0 ? [{ role: 'user', content: given }] : []),
  ]
}

/** Merges consecutive messages of one role: Anthropic expects the roles to alternate. */
function merge(messages: JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role !== message.role) merged.push({ ...message })
    else last!.content = [...(last!.content as JsonValue[]), ...(message.content as JsonValue[])]
  }
  return merged
}

function results(
  entry: Entry,
  calls: NamedCall[],
  resultOf: ResultOf,
  write: (id: string, result: string) => JsonObject,
): JsonObject[] {
  return calls.flatMap((call) => {
    const result = resultOf(entry, call)
    return result === undefined ? [] : [write(call.id, result)]
  })
}

/** Gives an id to each call without one: some providers send none, and every format needs one. */
function withNamedCalls(entries: readonly Entry[]): Said[] {
  // Several entries can be of one exchange.
  const counts = new Map<string, number>()
  return entries.map((entry) => {
    if (entry.role !== 'assistant') return entry
    const calls = entry.calls.map((call) => {
      const count = (counts.get(entry.exchange) ?? 0) + 1
      counts.set(entry.exchange, count)
      return { ...call, id: call.id ?? `call_${entry.exchange.replace(/\W/g, '_')}_${count}` }
    })
    return { ...entry, calls }
  })
}

/** A wire format in which a conversation can be handed to a provider. */
export type ProviderFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** Every format, for messages and checks. */
export const PROVIDER_FORMATS: readonly ProviderFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
]

/** The content of a message with its pictures. Parts that the format does not have become text. */
export function providerContent(
  entry: Entry,
  format: ProviderFormat,
  pictures: Pictures,
): JsonValue {
  if (!('parts' in entry)) return ''
  const hasPictures = entry.parts.some((part) => imageOf(part, pictures) !== undefined)
  if (!hasPictures && format !== 'anthropic-messages') return printParts(entry.parts, pictures)
  return entry.parts.map((part): JsonObject => {
    const image = imageOf(part, pictures)
    if (image) return writeImage(image, format)
    const type = format === 'openai-responses' ? 'input_text' : 'text'
    return { type, text: printPart(part, pictures) }
  })
}

/** How many pictures and files of a conversation its messages for a provider only name. */
export function countOnlyNamed(entries: readonly Entry[], pictures: Pictures): number {
  const parts = entries.flatMap((entry) => ('parts' in entry ? entry.parts : []))
  const named = parts.filter((part) => part.type === 'blob' && !imageOf(part, pictures))
  const results = entries.flatMap((entry) =>
    entry.role === 'assistant' ? entry.calls.map(({ result = null }) => result) : [],
  )
  return named.length + results.reduce<number>((sum, result) => sum + countBlobs(result), 0)
}

/** The result of a tool is written as text, so its pictures are named there. */
function countBlobs(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countBlobs(item), 0)
  if (!isJsonObject(value)) return 0
  return value.type === 'blob' && typeof value.hash === 'string'
    ? 1
    : countBlobs(Object.values(value))
}

interface Image {
  mimeType: string
  base64: string
}

function imageOf(part: Part, pictures: Pictures): Image | undefined {
  if (part.type !== 'blob') return undefined
  const picture = pictures.get(part.hash)
  const mimeType = part.mimeType ?? mimeTypeOf(picture?.name)
  return picture && mimeType?.startsWith('image/')
    ? { mimeType, base64: picture.base64 }
    : undefined
}

function mimeTypeOf(name: string | undefined): string | undefined {
  const extension = name?.split('.').at(-1)
  if (extension === 'png' || extension === 'gif' || extension === 'webp')
    return `image/${extension}`
  return extension === 'jpg' ? 'image/jpeg' : undefined
}

function writeImage({ mimeType, base64 }: Image, format: ProviderFormat): JsonObject {
  const url = `data:${mimeType};base64,${base64}`
  if (format === 'openai-chat') return { type: 'image_url', image_url: { url } }
  if (format === 'openai-responses') return { type: 'input_image', image_url: url }
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data: base64 } }
}
