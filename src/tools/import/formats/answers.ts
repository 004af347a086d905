import { writeFrame } from '../../../wire/amazon-frames.ts'
import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import { bytesOfJson, bytesOfText } from '../bodies.ts'
import { Collector, type HeldResponse, foreignHeaders } from '../collect.ts'
import type { ForeignFile, ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn, tryRead } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/**
 * Answers without requests: fixtures of the AI SDK (one JSON value, or the chunks of a stream, one a line), of Gemini
 * CLI (calls of Google's SDK and what they return, one a line), and objects with `status`, `headers` and `body`.
 */
export const answers: ForeignFormat = {
  name: 'answers',
  tools: 'fixtures of the AI SDK, of Gemini CLI, and by hand',
  hint: /^\s*\{"method"\s*:\s*"(?:generateContent|countTokens|embedContent)|^\s*\{\s*"(?:candidates|choices)"\s*:/,

  recognise(file) {
    const value = wholeOf(file)
    if (value !== undefined) {
      if (isAnswerWithHead(firstIn(value)) || isAnswer(value)) return true
      if (!hasFields(value) || !('status' in value && 'body' in value)) return false
      return typeof value.status === 'number'
        ? 'its body is no answer of a model'
        : 'its status is no number'
    }
    const lines = linesOf(file)
    if (!lines) return false
    if (lines.some((line) => hasFields(line) && String(line.type).startsWith('session.')))
      return 'its lines are events of a realtime session, which go over a WebSocket'
    if (lines.every(isCall) || lines.some(isChunk)) return true
    return file.name.endsWith('.chunks.txt') && 'its lines are JSON, and none is a chunk of a model'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const value = wholeOf(file)
    if (value === undefined) addLines(file, collector)
    else if (isAnswerWithHead(firstIn(value)))
      addWithHeads(new ForeignValue(file.name, value), collector)
    else addAnswer(file, new ForeignValue(file.name, value), collector)
    return [collector.recording]
  },
}

/** The value of a file that is one; undefined for lines, also where there is a single one. */
function wholeOf(file: ForeignFile): unknown {
  const value = jsonIn(file)
  return isCall(value) || file.name.endsWith('.chunks.txt') ? undefined : value
}

function firstIn(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}

function isAnswerWithHead(value: unknown): boolean {
  if (!hasFields(value) || typeof value.status !== 'number') return false
  const { body, headers } = value
  // Snapshots of other servers have a status and a body too.
  return typeof body === 'string' || isAnswer(body) || (body !== undefined && hasFields(headers))
}

/** What answers of models have, and little else: names of fields, with what stands there. */
const SIGNS: ReadonlyArray<(value: Record<string, unknown>) => boolean> = [
  ({ object }) =>
    /^(?:chat\.completion|text_completion|interaction$|response(?:\.|$))/.test(String(object)),
  ({ type, role, content }) => type === 'message' && role === 'assistant' && Array.isArray(content),
  ({ type, error }) => type === 'error' && hasFields(error),
  ({ choices }) => Array.isArray(choices),
  ({ candidates }) => Array.isArray(candidates),
  ({ usageMetadata, promptFeedback }) => hasFields(usageMetadata) || hasFields(promptFeedback),
  ({ output, stopReason }) =>
    hasFields(output) && hasFields(output.message) && stopReason !== undefined,
  ({ data }) =>
    Array.isArray(data) && hasFields(data[0]) && ('embedding' in data[0] || 'b64_json' in data[0]),
  ({ embeddings, embedding }) =>
    Array.isArray(embeddings) || hasFields(embeddings) || Array.isArray(embedding),
  ({ error }) => hasFields(error) && typeof error.message === 'string',
  ({ model, done }) => model !== undefined && typeof done === 'boolean',
  ({ message, finish_reason: finish }) =>
    hasFields(message) && message.role === 'assistant' && finish !== undefined,
  ({ results, data }) => [results, data].some(isRanking),
  ({ task, text }) => task === 'transcribe' && typeof text === 'string',
  ({ predictions }) => Array.isArray(predictions),
  ({ text, segments }) => typeof text === 'string' && Array.isArray(segments),
  ({ outputs, model }) => Array.isArray(outputs) && model !== undefined,
]

/** Documents by how well they fit. */
function isRanking(list: unknown): boolean {
  const first = Array.isArray(list) ? firstOf(list) : undefined
  return first !== undefined && ('relevance_score' in first || 'relevanceScore' in first)
}

function isAnswer(value: unknown): boolean {
  return hasFields(value) && SIGNS.some((isSign) => isSign(value))
}

/** What chunks of streams have beside. */
const CHUNK_TYPES =
  /^(?:message_(?:start|delta|stop)|content_block_\w+|ping|response\.[\w.]+|(?:message|content|tool-\w+|citation)-(?:start|delta|end)|error|image_generation\.\w+|transcript\.\w+|speech\.\w+|interaction\.\w+)$/

function isChunk(value: unknown): boolean {
  if (isAnswer(value)) return true
  if (!hasFields(value)) return false
  const { type, event_type: event } = value
  return (
    (typeof type === 'string' && CHUNK_TYPES.test(type)) ||
    typeof event === 'string' ||
    isFrame(value)
  )
}

/** An event of Bedrock's stream: one field, which names it. */
const FRAMES =
  /^(?:messageStart|messageStop|contentBlock(?:Start|Delta|Stop)|metadata|\w+Exception)$/

function isFrame(value: unknown): boolean {
  if (!hasFields(value)) return false
  const [name, ...others] = Object.keys(value)
  return name !== undefined && others.length === 0 && FRAMES.test(name)
}

function isCall(value: unknown): boolean {
  if (!hasFields(value) || typeof value.method !== 'string') return false
  return typeof value.response === 'object' && value.response !== null
}

const DONE = '[DONE]'

function textLines(file: ForeignFile): string[] {
  return file
    .text()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
}

/** The values of a file whose every line is JSON. */
function linesOf(file: ForeignFile): JsonValue[] | undefined {
  const [first, ...others] = file.head.trimStart().split('\n')
  // Cheap, and no for nearly every other file. A line can be longer than the beginning that is looked at.
  if (!first!.startsWith('{')) return undefined
  if (others.length > 0 && tryParseJson(first!) === undefined) return undefined
  const lines = tryRead(() => textLines(file))?.filter((line) => line !== DONE)
  if (!lines) return undefined
  const values = lines.map(tryParseJson)
  return values.every((value) => value !== undefined) ? values : undefined
}

function addLines(file: ForeignFile, collector: Collector): void {
  const lines = textLines(file)
  const values = lines.map((line, index) => {
    const value = line === DONE ? DONE : tryParseJson(line)
    return value ?? new ForeignValue(file.name, line, `/${index}`)
  })
  const broken = values.find((value) => value instanceof ForeignValue)
  if (broken) throw broken.wrong('a line of JSON')
  const place = new ForeignValue(file.name, values)
  if (values.every(isCall)) return place.items().forEach((call) => addCall(call, collector))
  collector.add({ place }, () => streamOf(lines, values as JsonValue[], place))
}

/** A stream whose chunks are one a line, in the framing that clients of its provider read. */
function streamOf(lines: string[], values: JsonValue[], place: ForeignValue): HeldResponse {
  if (values.every(isFrame)) return framesOf(values, place)
  const [first] = values
  const isLines =
    hasFields(first) && ('event_type' in first || ('done' in first && 'model' in first))
  if (isLines)
    return answerOf(
      'application/x-ndjson',
      bytesOfText(lines.map((line) => `${line}\n`).join('')),
      place,
    )
  const hasEnd =
    values.some((value) => hasFields(value) && 'choices' in value) && !lines.includes(DONE)
  return eventsOf(hasEnd ? [...lines, DONE] : lines, place)
}

function framesOf(values: JsonValue[], place: ForeignValue): HeldResponse {
  const frames = values.map((value) => {
    const [event, data] = Object.entries(value as Record<string, JsonValue>)[0]!
    return writeFrame({ event, data })
  })
  return answerOf('application/vnd.amazon.eventstream', Buffer.concat(frames), place)
}

function eventsOf(lines: string[], place: ForeignValue): HeldResponse {
  return answerOf(
    'text/event-stream',
    bytesOfText(lines.map((line) => `data: ${line}\n\n`).join('')),
    place,
  )
}

/** A call of Google's SDK, which knows neither addresses nor statuses. */
function addCall(call: ForeignValue, collector: Collector): void {
  const method = call.at('method').text()
  const response = call.at('response')
  collector.add({ rules: `${method} of Google's SDK`, place: call }, () =>
    response.isList
      ? eventsOf(
          response.items().map(({ value }) => JSON.stringify(value)),
          response,
        )
      : answerOf('application/json', bytesOfJson(response.value), response),
  )
}

function answerOf(
  type: string,
  body: Uint8Array,
  place: ForeignValue,
  status: number = 200,
): HeldResponse {
  return { status, headers: [['content-type', type]], body, place }
}

function addWithHeads(place: ForeignValue, collector: Collector): void {
  for (const answer of place.isList ? place.items() : [place])
    collector.add({ place: answer }, () => {
      const body = answer.at('body')
      const bytes = body.isText
        ? bytesOfText(body.text())
        : body.isAbsent
          ? new Uint8Array()
          : bytesOfJson(body.value)
      return {
        status: answer.at('status').status(),
        headers: foreignHeaders(answer.at('headers')),
        body: bytes,
        place: answer,
      }
    })
}

/** An error without a status that its body names. */
const UNKNOWN_ERROR = 400

function addAnswer(file: ForeignFile, place: ForeignValue, collector: Collector): void {
  collector.add({ place }, () =>
    answerOf('application/json', bytesOfText(file.text().trimEnd()), place, statusOf(place)),
  )
}

/** The status of an error, where its body has it. */
function statusOf(place: ForeignValue): number {
  if (!place.isObject || !place.at('error').isObject) return 200
  const { code, status } = place.at('error').object()
  const named = [code, status].find((one) => Number(one) >= 400 && Number(one) <= 599)
  return named === undefined ? UNKNOWN_ERROR : Number(named)
}
