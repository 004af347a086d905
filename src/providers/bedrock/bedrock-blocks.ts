import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import { blobOf } from '../kit/blob.ts'
import { arrayOf, defined, objectOf, stringOf, stringsIn, type Field } from '../fields.ts'
import type { Remainder } from '../kit/remainder.ts'

/** The names of blocks that hold a file. */
const FILES = ['image', 'document', 'video', 'audio']

/** Formats of documents whose media type is not under `application/`. */
const TEXTS = new Map([
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
])

/** Reads the blocks of a content; fields that are not read go to the rest. */
export function readBedrockBlocks(content: Field, rest: Remainder): Part[] {
  return arrayOf(content).flatMap((block, index): Part[] => {
    const place = `content[${index}]`
    if (!isJsonObject(block)) return [{ type: 'other', value: block }]
    if (isCachePoint(block)) {
      // A cache hint moves to the newest message and means nothing to the model.
      rest.keep(place, block, [])
      return []
    }
    return [readBlock(block, place, rest) ?? { type: 'other', value: block }]
  })
}

function isCachePoint(block: JsonObject): boolean {
  return block.cachePoint !== undefined && Object.keys(block).length === 1
}

function readBlock(block: JsonObject, path: string, rest: Remainder): Part | undefined {
  if (typeof block.text === 'string') {
    rest.keep(path, block, ['text'])
    return { type: 'text', text: block.text }
  }
  if (isJsonObject(block.toolUse)) return readToolUse(block, block.toolUse, path, rest)
  if (isJsonObject(block.toolResult)) return readToolResult(block, block.toolResult, path, rest)
  if (isJsonObject(block.reasoningContent)) {
    return readReasoning(block, block.reasoningContent, path, rest)
  }
  if (isJsonObject(block.citationsContent)) {
    return readCited(block, block.citationsContent, path, rest)
  }
  const kind = FILES.find((name) => isJsonObject(block[name]))
  return kind === undefined ? undefined : readFile(block, kind, path, rest)
}

function readToolUse(
  block: JsonObject,
  call: JsonObject,
  path: string,
  rest: Remainder,
): Part | undefined {
  const { toolUseId, name, input } = call
  if (typeof name !== 'string') return undefined
  rest.keep(path, block, ['toolUse'])
  rest.keep(`${path}.toolUse`, call, ['name', 'input', ...stringsIn(call, 'toolUseId')])
  const id = stringOf(toolUseId)
  return defined<Part>({ type: 'tool_call', id, name, arguments: input ?? {} })
}

function readToolResult(
  block: JsonObject,
  answer: JsonObject,
  path: string,
  rest: Remainder,
): Part {
  const { toolUseId, content } = answer
  const place = `${path}.toolResult`
  rest.keep(path, block, ['toolResult'])
  rest.keep(place, answer, ['content', ...stringsIn(answer, 'toolUseId')])
  const items = arrayOf(content).map((item, index) =>
    readResultItem(item, `${place}.content[${index}]`, rest),
  )
  const [only = null] = items
  const result = items.length === 1 ? only : Array.isArray(content) ? items : (content ?? null)
  return defined({ type: 'tool_call_response', id: stringOf(toolUseId), result })
}

/** A text or a value as itself, a file by its hash, anything else as it was sent. */
function readResultItem(item: JsonValue, path: string, rest: Remainder): JsonValue {
  if (!isJsonObject(item)) return item
  const keys = Object.keys(item).join()
  if (keys === 'text' && typeof item.text === 'string') return item.text
  if (keys === 'json' && typeof item.json === 'object' && item.json !== null) return item.json
  const kind = FILES.find((name) => isJsonObject(item[name]))
  const part = kind === undefined ? undefined : readFile(item, kind, path, rest)
  return part?.type === 'blob' ? { ...part } : item
}

function readReasoning(
  block: JsonObject,
  content: JsonObject,
  path: string,
  rest: Remainder,
): Part | undefined {
  const reasoning = objectOf(content.reasoningText)
  if (typeof reasoning.text !== 'string') return undefined
  rest.keep(path, block, ['reasoningContent'])
  rest.keep(`${path}.reasoningContent`, content, ['reasoningText'])
  rest.keep(`${path}.reasoningContent.reasoningText`, reasoning, ['text'])
  return { type: 'reasoning', text: reasoning.text }
}

function readCited(
  block: JsonObject,
  cited: JsonObject,
  path: string,
  rest: Remainder,
): Part | undefined {
  const texts = arrayOf(cited.content).map((item) => stringOf(objectOf(item).text))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  rest.keep(path, block, ['citationsContent'])
  rest.keep(`${path}.citationsContent`, cited, ['content'])
  return { type: 'text', text: texts.join('') }
}

/** A file that is sent inline, or one in a bucket. */
function readFile(
  block: JsonObject,
  kind: string,
  path: string,
  rest: Remainder,
): Part | undefined {
  const file = objectOf(block[kind])
  const source = objectOf(file.source)
  const bucket = objectOf(source.s3Location)
  const format = stringOf(file.format)
  if (typeof source.bytes === 'string') {
    rest.keep(path, block, [kind])
    rest.keep(`${path}.${kind}`, file, ['source', ...stringsIn(file, 'format')])
    rest.keep(`${path}.${kind}.source`, source, ['bytes'])
    return blobOf(source.bytes, format && typeOf(kind, format))
  }
  if (typeof bucket.uri !== 'string') return undefined
  rest.keep(path, block, [kind])
  rest.keep(`${path}.${kind}`, file, ['source'])
  rest.keep(`${path}.${kind}.source`, source, ['s3Location'])
  rest.keep(`${path}.${kind}.source.s3Location`, bucket, ['uri'])
  return { type: 'uri', uri: bucket.uri }
}

function typeOf(kind: string, format: string): string {
  if (kind !== 'document') return `${kind}/${format}`
  return TEXTS.get(format) ?? `application/${format}`
}
