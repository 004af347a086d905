import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import type { JsonLayout } from '../json/layout.ts'
import { isRequestHash, RULES } from '../prompt/request-hash.ts'
import { defined } from '../providers/fields.ts'
import { rememberFor } from '../remember.ts'
import type { Body } from '../wire/body.ts'
import { type StreamEvent, type StreamLayout, writeEvent } from '../wire/event-stream.ts'
import { extractBlob } from './format/extract-blob.ts'
import type {
  Cassette,
  Exchange,
  RecordedExchange,
  ResponseSummary,
  WrittenExchange,
} from './cassette.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import type { StoredBody } from './format/bodies.ts'
import { hashResponse, rawHashOf } from './format/hashes.ts'
import { escapeKey } from './format/markers.ts'
import { renewedIn, repeatedIn } from './format/renewed-in.ts'
import { foldRuns } from './format/runs.ts'
import { linesOfText, Sharing } from './format/share.ts'
import { SET_COOKIE } from '../wire/message.ts'
import type { StoredRequest, StoredResponse, StoredSent } from './format/stored.ts'
import { idOfPlace } from './format/id-of-place.ts'
import { WRITTEN_VERSION } from './patterns.ts'

export { extractBlob } from './format/extract-blob.ts'

/** A cassette as its file holds it, without its seal, and the files of its folder `blobs`. */
export interface EncodedCassette {
  stored: StoredCassette
  blobs: Map<string, Buffer>
}

/** The exchanges of a cassette as its file holds them. */
interface EncodedExchanges {
  exchanges: StoredExchange[]
  blobs: Map<string, Buffer>
}

/**
 * Encodes a cassette for its file.
 *
 * @param schemaPath the path of the schema from the folder of the file
 */
export function encodeCassette(cassette: Cassette, schemaPath?: string): EncodedCassette {
  const { blobs } = encodeExchanges(cassette.exchanges)
  const stored = encodeTexts(cassette, schemaPath)
  if (stored.version === WRITTEN_VERSION) return { stored, blobs }
  // Counted without the volatile rules of the test: no change of its options makes them wrong.
  const hashes = cassette.exchanges.map((one, at) => hashesOf(one, stored.exchanges[at]!))
  return { stored: { ...stored, rules: [RULES], hashes }, blobs }
}

/** All that a file says of a cassette, for those who read it and write none: without its hashes. */
export function encodeTexts(cassette: Cassette, schemaPath?: string): StoredCassette {
  const { conversationId, params, proposedParams, invalid, timestamp, oldestAnswer } = cassette
  const { exchanges } = encodeExchanges(cassette.exchanges)
  const isRecorded = exchanges.some(({ request }) => request)
  return defined({
    $schema: schemaPath,
    version: isRecorded ? FORMAT_VERSION : WRITTEN_VERSION,
    conversation_id: conversationId,
    params,
    proposed_params: proposedParams,
    invalid,
    exchanges,
    timestamp,
    oldest_answer: oldestAnswer,
  })
}

/** Encodes exchanges, and remembers the result for later calls. */
export const encodeExchanges: (exchanges: readonly Exchange[]) => EncodedExchanges = rememberFor(
  (all) => {
    const blobs = new Map<string, Buffer>()
    const save = (name: string, bytes: Buffer): void => void blobs.set(name, bytes)
    const sharing = new Sharing(save)
    const exchanges = all.map((exchange, index) =>
      exchange.wire
        ? storeRecorded(exchange as RecordedExchange, sharing, save)
        : storeWritten(exchange, index),
    )
    return { exchanges, blobs }
  },
)

/** Encodes an exchange that stands alone: nothing in it is a reference, and no file of it stands elsewhere. */
export function encodeAlone({ request, response }: RecordedExchange['wire']): StoredExchange {
  return {
    id: idOfPlace(0),
    prompt: { text: '', metadata: {} },
    request: storeRequest(request, ALONE, undefined),
    response: { text: '', sent: storeSent(response, [], ALONE, undefined) },
  }
}

/** How values are stored: where they stand, or as references. */
type Values = Pick<Sharing, 'url' | 'request' | 'part' | 'response'>

const ALONE: Values = { url: (url) => url, request: escaped, part: escaped, response: escaped }

/** Escapes keys that could be taken for markers. */
function escaped(value: JsonValue): JsonValue {
  return fold(value, undefined, (one, _, inside): JsonValue => {
    if (Array.isArray(one)) return one.map((item) => inside(item, undefined))
    if (!isJsonObject(one)) return one
    return Object.fromEntries(
      Object.entries(one).map(([key, child]) => [escapeKey(key), inside(child, undefined)]),
    )
  })
}

/** The hashes of an exchange. What a person wrote has none, and what only other programs know of has no canonical one. */
function hashesOf({ prompt, wire }: Exchange, { response }: StoredExchange): string {
  if (!wire) return '..'
  const { hash = '' } = prompt
  const canonical = wire.request.imported || !isRequestHash(hash) ? '' : hash
  const raw = rawHashOf(wire.request)
  return `${canonical}.${raw}.${response.sent ? hashResponse(response) : ''}`
}

/** Keeps a file of the folder `blobs`; without it, all stands in the cassette. */
type Save = ((name: string, bytes: Buffer) => void) | undefined

function storeRecorded(
  { id, sample, part, prompt, response, wire }: RecordedExchange,
  sharing: Sharing,
  save: Save,
): StoredExchange {
  const asked = wire.request.body.kind === 'json' ? wire.request.body.value : undefined
  const renewed = wire.response
    ? [...new Set([...renewedIn(wire), ...repeatedIn(wire, [prompt.text, response.text])])]
    : []
  const shown = { id, prompt: prompt.text, text: response.text, renewed }
  const text = sharing.open(shown, asked)
  const request = storeRequest(wire.request, sharing, save)
  sharing.answer(asked)
  return {
    id,
    ...(sample === undefined ? {} : { sample }),
    ...(part === undefined ? {} : { part }),
    prompt: { text, metadata: prompt.metadata },
    request,
    response: {
      ...storeReadable(response),
      ...(wire.response ? { sent: storeSent(wire.response, renewed, sharing, save) } : {}),
    },
  }
}

/** Encodes an exchange that a person wrote, and leaves out empty optional fields. */
function storeWritten(
  { id, sample, part, prompt, response }: Omit<WrittenExchange, 'wire'>,
  index: number,
): StoredExchange {
  const { hash, metadata } = prompt
  const { text, ...others } = storeReadable(response)
  const saysElse = others.tool_calls !== undefined || others.error !== undefined
  return {
    ...(id === idOfPlace(index) ? {} : { id }),
    ...(sample === undefined ? {} : { sample }),
    ...(part === undefined ? {} : { part }),
    prompt: {
      text: linesOfText(prompt.text),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
      ...(hash ? { hash } : {}),
    },
    response: { ...(text === '' && saysElse ? {} : { text }), ...others },
  }
}

function storeReadable({ text, reasoning, ...others }: ResponseSummary): StoredResponse {
  return {
    text: linesOfText(text),
    ...(reasoning === undefined ? {} : { reasoning: linesOfText(reasoning) }),
    ...others,
  }
}

function storeRequest(
  { method, url, headers, after, imported, body }: RecordedExchange['wire']['request'],
  values: Values,
  save: Save,
): StoredRequest {
  return {
    method,
    url: values.url(url),
    ...(headers ? { headers } : {}),
    ...(after === undefined ? {} : { after }),
    ...(imported ? { imported } : {}),
    ...storeBody(
      body,
      (value, isWhole) => (isWhole ? values.request(value) : values.part(value)),
      save,
    ),
  }
}

function storeSent(
  { status, headers, body, cut, aborted }: RecordedExchange['wire']['response'],
  renewed: readonly JsonValue[],
  values: Values,
  save: Save,
): StoredSent {
  const cookies = headers[SET_COOKIE]?.split('\n') ?? []
  return {
    status,
    headers: cookies.length > 1 ? { ...headers, [SET_COOKIE]: cookies } : headers,
    ...(renewed.length > 0 ? { renewed: [...renewed] } : {}),
    ...storeBody(body, (value) => values.response(value), save),
    ...(cut ? { cut } : {}),
    ...(aborted === undefined ? {} : { aborted }),
  }
}

type Store = (value: JsonValue, isWhole: boolean) => JsonValue

function storeBody(body: Body, store: Store, save: Save): StoredBody {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'json': {
      const spelled = body.asSent === undefined ? {} : { as_sent: body.asSent }
      return { ...storedLayout(body.layout), ...spelled, body: store(body.value, true) }
    }
    case 'text':
      return { text: linesOfText(body.text) }
    case 'bytes':
      return storeBytes(body.bytes, save)
    case 'form':
      return { form: body.parts.map((part) => store(part, false)) }
    case 'lines':
      return {
        ...streamLayout(body.layout),
        lines: foldRuns(
          body.lines.map((line) => (typeof line === 'string' ? line : store(line, false))),
        ),
      }
    case 'frames':
      return { frames: foldRuns(body.frames.map((frame) => store(frame as JsonValue, false))) }
    case 'events':
      return storeEvents(body.events, body.layout, store)
  }
}

function storeBytes(bytes: Uint8Array, save: Save): StoredBody {
  const base64 = Buffer.from(bytes).toString('base64')
  const blob = save && extractBlob(base64, save)
  return blob ? { file: blob.$file } : { base64 }
}

function storeEvents(
  events: readonly StreamEvent[],
  layout: StreamLayout,
  store: Store,
): StoredBody {
  const isNamed = events.some(isNamedByType)
  const items = events.map((event): JsonValue => {
    if (typeof event === 'string') return [event]
    const { event: name, data } = event
    if (typeof data !== 'string' && !isJsonObject(data)) return [writeEvent(event, layout)]
    const stored = typeof data === 'string' ? data : store(data, false)
    const isPlain =
      name === undefined && !(isNamed && isJsonObject(data) && typeof data.type === 'string')
    if (isPlain || (isNamed && isNamedByType(event))) return stored
    return name === undefined ? [writeEvent(event, layout)] : [name, stored]
  })
  return { ...streamLayout(layout), ...(isNamed ? { named: true } : {}), events: foldRuns(items) }
}

function isNamedByType(event: StreamEvent): boolean {
  if (typeof event === 'string' || event.event === undefined) return false
  return isJsonObject(event.data) && event.data.type === event.event
}

function streamLayout({ eol, json }: StreamLayout): StoredBody {
  return { ...storedLayout(json), ...(eol === '\n' ? {} : { eol: '\r\n' as const }) }
}

function storedLayout(layout: JsonLayout): { layout?: JsonLayout } {
  return Object.keys(layout).length > 0 ? { layout } : {}
}
