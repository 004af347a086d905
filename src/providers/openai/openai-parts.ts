import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { isPlainText } from '../content.ts'
import { arrayOf, objectOf, stringOf } from '../fields.ts'
import type { Remainder } from '../kit/remainder.ts'

/** Reads a part of a message as chat completions and responses send it. */
export function readOpenAiPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return readField(part, 'text', path, rest, (text) => ({ type: 'text', text }))
    case 'summary_text':
    case 'reasoning_text':
      return readField(part, 'text', path, rest, (text) => ({ type: 'reasoning', text }))
    case 'refusal':
      return readField(part, 'refusal', path, rest, (text) => {
        // Its type tells it from other text, so it stays among the rest.
        rest.keep(path, { type: 'refusal' }, [])
        return { type: 'text', text }
      })
    case 'thinking':
      return readThinking(part, path, rest)
    case 'input_image':
    case 'computer_screenshot':
      return readField(part, 'image_url', path, rest, contentAt)
    case 'input_file':
      if (typeof part.file_data !== 'string')
        return readField(part, 'file_url', path, rest, contentAt)
      return readField(part, 'file_data', path, rest, fileOf)
    case 'file':
      return readNested(part, 'file', ['file_data'], path, rest, fileOf)
    case 'output_audio':
    case 'audio':
      return readField(part, 'transcript', path, rest, (text) => {
        rest.keep(path, { type: part.type! }, [])
        return { type: 'text', text }
      })
    case 'input_audio': {
      if (typeof part.audio === 'string')
        return readField(part, 'audio', path, rest, (data) => blobOf(data))
      const format = stringOf(objectOf(part.input_audio).format)
      return format === undefined
        ? readNested(part, 'input_audio', ['data'], path, rest, (data) => blobOf(data))
        : readNested(part, 'input_audio', ['data', 'format'], path, rest, (data) =>
            blobOf(data, `audio/${format}`),
          )
    }
    default:
      return readLink(part, path, rest)
  }
}

function readField(
  part: JsonObject,
  field: string,
  path: string,
  rest: Remainder,
  read: (text: string) => Part,
): Part | undefined {
  const text = stringOf(part[field])
  if (text === undefined) return undefined
  rest.keep(path, part, ['type', field])
  return read(text)
}

/** Like {@link readField}, for a text one level down: `{ type: 'file', file: { file_data } }`. */
function readNested(
  part: JsonObject,
  field: string,
  names: [name: string, ...also: string[]],
  path: string,
  rest: Remainder,
  read: (text: string) => Part,
): Part | undefined {
  const nested = objectOf(part[field])
  const text = stringOf(nested[names[0]])
  if (text === undefined) return undefined
  rest.keep(path, part, ['type', field])
  rest.keep(`${path}.${field}`, nested, names)
  return read(text)
}

/** `image_url`, `video_url`, `document_url` and their like, as a text or as `{ url }`. */
function readLink(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const type = stringOf(part.type)
  if (!type?.endsWith('_url')) return undefined
  return typeof part[type] === 'string'
    ? readField(part, type, path, rest, contentAt)
    : readNested(part, type, ['url'], path, rest, contentAt)
}

function readThinking(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const { thinking } = part
  const thoughts: JsonValue[] =
    typeof thinking === 'string' ? [{ type: 'text', text: thinking }] : arrayOf(thinking)
  if (thoughts.length === 0 || !thoughts.every(isPlainText)) return undefined
  rest.keep(path, part, ['type', 'thinking'])
  return { type: 'reasoning', text: thoughts.map(({ text }) => text).join('') }
}

function fileOf(data: string): Part {
  return data.startsWith('data:') ? contentAt(data) : blobOf(data)
}
