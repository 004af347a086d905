import type { JsonObject } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import type { Message, Prompt } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, type Field } from '../fields.ts'
import { bodyOf, readEnvelope } from './envelope.ts'
import { messageOf } from './messages.ts'
import { readAnswer } from './read-answer.ts'
import { writeAnswer, type WriteFailure } from './write-answer.ts'

const DESCRIBED = /^(\d{1,4}) embeddings? of (\d{1,5}) dimensions$/

/** Describes embeddings by their number and dimensions, as their values are too many to read. */
export function describeEmbeddings(embeddings: readonly Field[]): string {
  const { length } = embeddings
  if (length === 0) return ''
  const dimensions = dimensionsOf(embeddings[0])
  return `${length} ${length === 1 ? 'embedding' : 'embeddings'} of ${dimensions} dimensions`
}

/** Makes up the embeddings that a text describes, or `count` of them without a description. Each has length 1. */
export function makeUpEmbeddings(text: string, count: number): number[][] {
  const [, described, dimensions] = DESCRIBED.exec(text) ?? []
  return Array.from({ length: Number(described ?? count) }, (_, index) =>
    unitVector(Number(dimensions ?? 3), index),
  )
}

function unitVector(dimensions: number, index: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  if (dimensions > 0) vector[index % dimensions] = 1
  return vector
}

function dimensionsOf(embedding: Field): number {
  // Base64 holds four bytes for each number.
  if (typeof embedding === 'string') return Math.floor(Buffer.byteLength(embedding, 'base64') / 4)
  return arrayOf(embedding).length
}

/** One message for each input of an embedding; an array of numbers is one text in tokens. */
export function readEmbeddedInput(input: Field): Message[] {
  if (input === undefined) return []
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return (isList ? input : [input]).map((value) => messageOf('user', value))
}

/** Reads a prompt whose inputs are one field of its body. */
export function readInputPrompt(request: WireRequest, operation: string, field: string): Prompt {
  const messages = readEmbeddedInput(bodyOf(request)[field])
  const envelope = readEnvelope(request, operation, messages.length > 0 ? [field] : [])
  return { ...envelope, messages, tools: [] }
}

/** A format of embeddings, as its provider declares it. */
interface EmbeddingsFormat extends Pick<Dialect, 'name' | 'places' | 'claims' | 'readPrompt'> {
  /** The vectors of an answer. */
  vectors(body: JsonObject): readonly Field[]
  usage(body: JsonObject): Usage | undefined
  /** The body of an answer. */
  write(vectors: number[][], request: WireRequest, usage: Usage | undefined): JsonObject
  writeFailure?: WriteFailure
}

export function embeddingsDialect({
  vectors,
  usage,
  write,
  writeFailure,
  ...format
}: EmbeddingsFormat): Dialect {
  return {
    ...format,
    readCompletion: (response) =>
      readAnswer(response, {
        read: (body) => ({ text: describeEmbeddings(vectors(body)), usage: usage(body) }),
      }),
    /** The numbers are made up. */
    writeCompletion(completion, request) {
      const { length } = format.readPrompt(request).messages
      const whole = write(makeUpEmbeddings(completion.text, length), request, completion.usage)
      return writeAnswer(completion, { whole }, writeFailure)
    },
  }
}
