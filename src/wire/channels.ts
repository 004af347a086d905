import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** Whether a value is a list of Gemini's answers: a stream that was not sent as events. */
export function isAnswerList(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && 'candidates' in item)
}

/** The key of one text of a stream: pieces on one channel are one text. */
export type Channel = string

/** Fields that hold a piece of a text in one of the wire formats; in a stream, the next event continues it. */
export const PIECE_FIELDS: ReadonlySet<string> = new Set([
  'arguments',
  'completion',
  'content',
  'data',
  'delta',
  'generation',
  'input',
  'inputTextDelta',
  'outputText',
  'partial_json',
  'reasoning',
  'reasoning_content',
  'reasoningText',
  'refusal',
  'response',
  'text',
  'textDelta',
  'thinking',
  'transcript',
])

/** Fields that number the parts that stream at the same time: choices, content blocks, tool calls. */
export const PART_NUMBER: RegExp = /(?:^i|_i|I)ndex$/

/** Beside these, an index counts the pieces themselves: Hugging Face, Titan. */
export const COUNTED_PIECES: readonly string[] = ['token', 'outputText']

/** The channel of an event: by its name, its type, and by its id where types have one. */
export function channelOfEvent(name: string | undefined, data: JsonObject): Channel {
  const type = data.type ?? data.event_type
  // Vercel tells texts that stream at the same time by an id; elsewhere an id is that of the answer.
  const id = typeof data.type === 'string' && typeof data.id === 'string' ? data.id : ''
  return `${name ?? ''} ${typeof type === 'string' ? type : ''} ${id}`
}

/** The channel inside an object, with the number of the part that streams. */
export function channelInside(channel: Channel, owner: JsonObject): Channel {
  if (COUNTED_PIECES.some((field) => field in owner) || isBlockOfNova(owner)) return channel
  let inside = channel
  for (const key of Object.keys(owner)) {
    if (typeof owner[key] === 'number' && PART_NUMBER.test(key)) inside += `#${owner[key]}`
  }
  // Gemini sends thoughts and text at one place, one after the other.
  return owner.thought === true ? `${inside} thought` : inside
}

/** Amazon's Nova makes a block of its own of every piece of a text; Bedrock's blocks never interleave. */
function isBlockOfNova({ contentBlockIndex, delta }: JsonObject): boolean {
  return contentBlockIndex !== undefined && isJsonObject(delta) && typeof delta.text === 'string'
}

/** The channel of an item of a list. If items are numbered, their place in one event means nothing. */
export function channelOfItem(channel: Channel, item: unknown, position: number): Channel {
  const numbered = typeof item === 'object' && item !== null && 'index' in item
  return numbered ? `${channel}[]` : `${channel}[${position}]`
}

/** True for channels whose pieces are known to be parts of one text, and none a text of its own. */
export function isInPieces(channel: Channel): boolean {
  return PIECE_FIELDS.has(channel.slice(channel.lastIndexOf('.') + 1))
}
