import { type Cassette, isRecorded } from '../../cassette/cassette.ts'
import { type PriceTable, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import { Params } from '../../conversation/params.ts'
import { idsBefore, readSteps, type RecordedStep } from '../../conversation/step.ts'
import { type ModelMap, otherModelOf, withModel } from '../../features/other-model.ts'
import { isJsonObject, type JsonObject, type JsonValue, mapInside } from '../../json/json-value.ts'
import { valueAt } from '../../json/walk.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { placeholdersIn } from '../../text/placeholders.ts'
import { jsonOf, textOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { messageBefore } from '../../wire/socket-frames.ts'
import { keepUrl } from '../../wire/url.ts'
import { type Behaviour, isRefusal } from './compare-behaviour.ts'
import { addressOfModel, translate } from './other-dialect.ts'
import { askTraced, isTraced, readTraced, type TracedPrompt } from './traced.ts'

/** A recorded exchange. */
export interface ExchangePlace {
  /** The name of the test in the cassette. */
  test: string
  /** The path of the cassette, relative to the working directory of the user. */
  cassette: string
  /** `exchange-1`, … */
  exchange: string
}

/** An exchange for people: `support > a refund, exchange-2`. */
export function placeText({ test, exchange }: ExchangePlace): string {
  return `${test}, ${exchange}`
}

/** A recorded prompt that can be asked again, and its recorded answer. */
export interface Question extends ExchangePlace {
  request: WireRequest
  prompt: Prompt
  before: Behaviour
  /** Set for a prompt of a trace: what the trace does not hold, so that it is not asked. */
  without?: string[]
  schema?: JsonObject
  /** The usage of the recorded answer. */
  took: UsageTotal
}

/** A recorded prompt that cannot be asked again. */
export interface LeftOut extends ExchangePlace {
  why: string
}

/** Reads the prompts of a cassette that can be asked again, and those that cannot. */
export function readQuestions(
  name: string,
  cassette: Cassette,
  prices: PriceTable,
): { questions: Question[]; leftOut: LeftOut[] } {
  const questions: Question[] = []
  const leftOut: LeftOut[] = []
  const params = new Params(cassette.params)
  for (const [index, step] of readSteps(cassette).entries()) {
    const { exchange, prompt, completion } = step
    const place = { test: cassette.conversationId, cassette: name, exchange: exchange.id }
    if (isTraced(exchange)) {
      const read = readTraced(step, cassette.exchanges.slice(0, index))
      if ('why' in read) leftOut.push({ ...place, ...read })
      else questions.push({ ...place, ...tracedQuestion(step, read, prices) })
      continue
    }
    const why = whyNotAsked(step)
    if (why !== undefined) leftOut.push({ ...place, why })
    if (why !== undefined || !isRecorded(exchange)) continue
    // Parameters that a test declares get the values of the recording.
    const request = params.show(exchange.wire.request)
    const response = params.show(exchange.wire.response)
    const before = params.none ? completion : dialectOf(request).readCompletion(response)
    questions.push({
      ...place,
      request,
      prompt,
      before: { completion: before, isRefusal: isRefusal(before, response) },
      schema: responseSchemaOf(request),
      took: usageOf(step, prices),
    })
  }
  return { questions, leftOut }
}

function tracedQuestion(
  step: RecordedStep,
  read: TracedPrompt,
  prices: PriceTable,
): Omit<Question, keyof ExchangePlace> {
  const { completion } = step
  const prompt = dialectOf(read.request).readPrompt(read.request)
  const before = { completion, isRefusal: isRefusal(completion) }
  return { ...read, prompt, before, took: usageOf({ ...step, prompt }, prices) }
}

/** The key of a request. Questions with equal requests share it, and are asked once. */
export function keyOf({ request }: Pick<Question, 'request'>): string {
  const { method, url, headers = {}, body } = request
  return sha256(JSON.stringify([method, url, headers, textOf(body)])).slice(0, 24)
}

/** A question and the request that is sent for it, to its own model or to another. */
export interface Asking {
  question: Question
  request: WireRequest
}

/**
 * Makes the request of a question: the recorded one, or the same prompt to another model in its wire format.
 *
 * @param at the address of the other model, if the user names one
 */
export function askingOf(question: Question, models: ModelMap, at?: string): Asking | LeftOut {
  const { test, cassette, exchange } = question
  const other = requestTo(question, models, at)
  return 'why' in other
    ? { test, cassette, exchange, why: other.why }
    : { question, request: other.request }
}

function requestTo(
  { request, schema, without }: Question,
  models: ModelMap,
  at: string | undefined,
): { request: WireRequest } | { why: string } {
  if (without) return askTraced(request, models, at)
  const model = otherModelOf(request, models)
  if (model === undefined) return { request }
  const address = addressOfModel(request, model, at)
  if (address === undefined) return { request: withModel(request, model) }
  return translate(request, model, address, schema)
}

/** The paths of the response schema in the wire formats. */
const PLACES = [
  ['response_format', 'json_schema', 'schema'],
  ['response_format', 'json_schema'],
  ['response_format', 'schema'],
  ['text', 'format', 'schema'],
  ['output_config', 'format', 'schema'],
  ['output_format', 'schema'],
  ['generationConfig', 'responseJsonSchema'],
  ['generationConfig', 'responseSchema'],
  ['format'],
] as const

function responseSchemaOf({ body }: WireRequest): JsonObject | undefined {
  const asked = jsonOf(body)
  for (const place of PLACES) {
    const found = valueAt(asked, place)
    if (isJsonObject(found) && ['type', 'properties', 'anyOf', '$ref'].some((key) => key in found))
      return inStandardWords(found) as JsonObject
  }
  return undefined
}

/** Converts the spelling of Gemini, `STRING` and `nullable`, to that of the standard. */
function inStandardWords(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return mapInside(schema, inStandardWords)
  const { type, nullable, ...rest } = schema
  const inner = mapInside(rest, inStandardWords) as JsonObject
  if (typeof type !== 'string') return { ...inner, ...(type === undefined ? {} : { type }) }
  const name = /^[A-Z]+$/.test(type) ? type.toLowerCase() : type
  return { ...inner, type: nullable === true ? [name, 'null'] : name }
}

/** Operations whose answers can be compared: no embeddings, no lists of models. */
const OPERATIONS = new Set(['chat', 'generate_content', 'text_completion'])

/** Fields with the id of an object that the provider stores, and may have deleted. */
const STORED =
  /^(?:file_ids?|fileIds?|file_uri|fileUri|vector_store_ids?|cachedContent|cached_content|container|container_id|assistant_id|batch_id|input_file_id|prompt_id)$/

/** Types of items that refer to such an object. */
const STORED_TYPES = new Set(['item_reference', 'container_upload'])

/** Fields with content of the application, in which an id is its own. */
const OF_APPLICATION = new Set(
  'properties parameters input_schema inputSchema schema metadata functionCall functionResponse toolUse toolResult'.split(
    ' ',
  ),
)

/** Why a recorded prompt cannot be asked again; `undefined` where it can. */
function whyNotAsked(step: RecordedStep): string | undefined {
  const { exchange, prompt, wire, dialect } = step
  if (dialect === 'mcp') return 'a tool of an MCP server answered it, and no model'
  if (!isRecorded(exchange) || !wire) return 'its answer was written by hand'
  const { request, response } = exchange.wire
  const url = new URL(request.url)
  if (/^wss?:$/.test(url.protocol) || messageBefore(request) !== undefined)
    return 'it was said over a WebSocket, which is closed'
  if (response.status >= 400) return `its answer is an error, ${response.status}`
  if (response.cut || response.aborted !== undefined || step.completion.incomplete)
    return 'its answer was cut'
  const body = jsonOf(request.body)
  if (request.method !== 'POST' || !isJsonObject(body) || !OPERATIONS.has(prompt.operation))
    return 'it asks no model for an answer that could be compared'
  if (isDigested(url)) return 'a part of its address is not stored'
  const [secret] = placeholdersIn(textOf(request.body))
  if (secret) return `it held a secret that is not stored: ${secret.whole}`
  return whyAtProvider(step, request, body)
}

function whyAtProvider(
  step: RecordedStep,
  { url }: WireRequest,
  body: JsonValue & object,
): string | undefined {
  const [history] = idsBefore(step)
  if (history !== undefined) return `its history lies at the provider, as ${history}`
  const stored = findStored(body, new URL(url).pathname.endsWith('/responses'))
  if (stored !== undefined) return `it refers to data at the provider: ${stored}`
  if ((body as { background?: unknown }).background === true)
    return 'its answer is made in the background, and asked for later'
  return undefined
}

/** What stands for such a value. */
const DIGEST = /^(?:[0-9a-f]{12}|REDACTED)$/

/** Whether an address has query parameters whose values are stored as digests. */
function isDigested(url: URL): boolean {
  let isOne = false
  keepUrl(url, (value) => {
    isOne ||= DIGEST.test(value)
    return value
  })
  return isOne
}

function findStored(value: JsonValue, isResponses: boolean): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => findStored(item, isResponses))
  if (!isJsonObject(value)) return undefined
  const { type, id, encrypted_content: thoughts } = value
  if (typeof type === 'string' && STORED_TYPES.has(type)) return String(id ?? type)
  // Reasoning without its encrypted content is stored by the provider, which finds it by its id.
  if (isResponses && type === 'reasoning' && typeof id === 'string' && !thoughts) return id
  return firstOf(Object.entries(value), ([key, inner]) => {
    if (OF_APPLICATION.has(key) || (key === 'input' && type === 'tool_use')) return undefined
    if (!STORED.test(key)) return findStored(inner, isResponses)
    const named = [inner].flat().find((one) => typeof one === 'string' && one !== '')
    return named === undefined ? findStored(inner, isResponses) : `${key} ${String(named)}`
  })
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
