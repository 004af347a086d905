import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { pictureOf } from '../kit/blob.ts'
import { arrayOf, filledIn, listsIn, stringOf, stringsIn, type Field } from '../fields.ts'
import { partOf, unknownMessage } from '../kit/messages.ts'
import { readOpenAiCalls } from '../openai/openai-messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** Reads a message of Ollama's chat: its thought, its text, its images and its calls. */
export function readOllamaMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const rest = new Remainder()
  const role = stringOf(value.role) ?? 'unknown'
  const read = [...stringsIn(value, 'role', 'thinking'), ...filledIn(value, 'content')]
  read.push(...listsIn(value, 'images', 'tool_calls'))
  rest.keep('', value, read)
  const parts: Part[] =
    role === 'tool'
      ? [{ type: 'tool_call_response', result: value.content ?? null }]
      : readContent(value.content)
  return {
    role,
    parts: [
      ...readThought(value.thinking),
      ...parts,
      ...readOllamaImages(value.images),
      ...readOpenAiCalls(value.tool_calls, rest),
    ],
    ...rest.extra,
  }
}

/** Reads the images that go with a text, each of them bare base64. */
export function readOllamaImages(images: Field): Part[] {
  return arrayOf(images).map((value) =>
    typeof value === 'string' ? pictureOf(value) : { type: 'other', value },
  )
}

/** Reads the message of an answer, also from the body of a generated text. */
export function readOllamaAnswer(body: JsonObject): Part[] {
  const message = isJsonObject(body.message)
    ? body.message
    : { content: body.response ?? null, thinking: body.thinking ?? null }
  // Servers that imitate Ollama use OpenAI's name for a thought.
  const { thinking = message.reasoning_content ?? null } = message
  return readOllamaMessage({ ...message, thinking, role: 'assistant' }).parts
}

function readThought(thinking: Field): Part[] {
  return typeof thinking === 'string' ? [{ type: 'reasoning', text: thinking }] : []
}

function readContent(content: Field): Part[] {
  if (content === undefined || content === null) return []
  return [partOf(content)]
}
