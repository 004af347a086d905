import { isRecorded } from '../../cassette/cassette.ts'
import { idsBefore, type RecordedStep } from '../../conversation/step.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { PLACEHOLDER } from '../../secrets/placeholder.ts'
import { jsonOf, textOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { keepUrl } from '../../wire/url.ts'

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
export function whyNotAsked(step: RecordedStep): string | undefined {
  const { exchange, prompt, wire, dialect } = step
  if (dialect === 'mcp') return 'a tool of an MCP server answered it, and no model'
  if (!isRecorded(exchange) || !wire) return 'its answer was written by hand'
  const { request, response } = exchange.wire
  const url = new URL(request.url)
  if (/^wss?:$/.test(url.protocol) || request.after !== undefined)
    return 'it was said over a WebSocket, which is closed'
  if (response.status >= 400) return `its answer is an error, ${response.status}`
  if (response.cut || response.aborted !== undefined || step.completion.incomplete)
    return 'its answer was cut'
  const body = jsonOf(request.body)
  if (request.method !== 'POST' || !isJsonObject(body) || !OPERATIONS.has(prompt.operation))
    return 'it asks no model for an answer that could be compared'
  if (isDigested(url)) return 'a part of its address is not stored'
  const [secret] = textOf(request.body).match(PLACEHOLDER) ?? []
  if (secret !== undefined) return `it held a secret that is not stored: ${secret}`
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

/** Whether an address has unknown query parameters, whose values are stored as digests. */
function isDigested(url: URL): boolean {
  let isOne = false
  keepUrl(url, (value) => {
    isOne = true
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
