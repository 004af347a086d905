import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { readResult } from '../content.ts'
import { defined, filledIn, stringOf, stringsIn } from '../fields.ts'
import type { Remainder } from '../kit/remainder.ts'

/** Reads a block of content as Anthropic's messages send and answer it. */
export function readAnthropicPart(
  block: JsonObject,
  path: string,
  rest: Remainder,
): Part | undefined {
  const type = stringOf(block.type) ?? ''
  if (type === 'text' && typeof block.text === 'string') {
    rest.keep(path, block, ['type', 'text'])
    return { type: 'text', text: block.text }
  }
  if (type === 'thinking' && typeof block.thinking === 'string') {
    rest.keep(path, block, ['type', 'thinking'])
    return { type: 'reasoning', text: block.thinking }
  }
  if (type === 'image' || type === 'document') return readSource(block, type, path, rest)
  if (type.endsWith('tool_use')) return readToolUse(block, path, rest)
  if (type.endsWith('tool_result')) return readToolResult(block, path, rest)
  return undefined
}

function readSource(
  block: JsonObject,
  type: string,
  path: string,
  rest: Remainder,
): Part | undefined {
  const { source } = block
  if (!isJsonObject(source)) return undefined
  const field = source.type === 'base64' ? 'data' : source.type === 'url' ? 'url' : ''
  const content = stringOf(source[field])
  if (content === undefined) return undefined
  const read = ['type', field, ...(field === 'data' ? stringsIn(source, 'media_type') : [])]
  // The media type decides whether a file is an image or a document.
  rest.keep(path, block, ['source', ...(type === 'image' ? ['type'] : [])])
  rest.keep(`${path}.source`, source, read)
  return field === 'url' ? contentAt(content) : blobOf(content, stringOf(source.media_type))
}

/** A call of the application's tools, or of those that run on Anthropic's or another server. */
function readToolUse(block: JsonObject, path: string, rest: Remainder): Part | undefined {
  const { type, id, name, input } = block
  if (typeof name !== 'string') return undefined
  const ordinary = type === 'tool_use' ? ['type'] : []
  rest.keep(path, block, [...ordinary, ...stringsIn(block, 'id', 'name'), 'input'])
  const call: Part = defined({ type: 'tool_call', id: stringOf(id), name, arguments: input ?? {} })
  return call
}

function readToolResult(block: JsonObject, path: string, rest: Remainder): Part {
  const { type, tool_use_id: id, content } = block
  const ordinary = type === 'tool_result' ? ['type'] : []
  rest.keep(path, block, [
    ...ordinary,
    ...stringsIn(block, 'tool_use_id'),
    ...filledIn(block, 'content'),
  ])
  const result = readResult(content, readAnthropicPart)
  return defined({ type: 'tool_call_response', id: stringOf(id), result })
}
