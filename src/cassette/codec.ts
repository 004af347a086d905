import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { sortKeys } from '../json/sort-keys.ts'
import { jsonOf, type Body } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Cassette, Exchange } from './cassette.ts'
import { hashAnswer } from './answer-hash.ts'
import { ValueDecoder } from './decode-value.ts'
import { ValueEncoder } from './encode-value.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import { References } from './resolve-references.ts'
import { SharedValues } from './shared-values.ts'
import { mapBase64, mapJson, restoreBody, storeBody, type StoredBody } from './stored-body.ts'
import { readWritten, storeWritten } from './written-exchange.ts'

/** A cassette ready to be written, and the files that its prompts and answers contain. */
export interface EncodedCassette {
  stored: StoredCassette
  blobs: Map<string, Buffer>
}

type StoredResponse = NonNullable<NonNullable<StoredExchange['wire']>['response']>

const REQUEST = '/wire/request/body'
const ANSWER = '/wire/response/body'

/** Turns a cassette into what its file holds: linear in the length of the conversation. */
export function encodeCassette(cassette: Cassette, schemaPath: string): EncodedCassette {
  const shared = new SharedValues()
  const blobs = new Map<string, Buffer>()
  const encoder = new ValueEncoder((name, bytes) => blobs.set(name, bytes))
  const ids = new Set<string>()

  function storeJson(body: Body, id: string, pointer: string): StoredBody {
    const isWhole = body.kind === 'json'
    const store = (value: JsonValue, piece: number): JsonValue => {
      const encoded = encoder.encode(value)
      if (id === '') return encoded
      const place = isWhole ? pointer : `${pointer}/${piece}`
      return shared.store(encoded, id, place, isWhole && pointer === REQUEST)
    }
    let piece = 0
    const stored = storeBody(mapJson(body, (value) => store(value, piece++)))
    return mapBase64(stored, (value) => encoder.encode(value))
  }

  function storeResponse(response: WireResponse, name: string) {
    const { headers, status, cut, body } = response
    const hash = hashAnswer(response)
    return { status, headers, hash, ...storeJson(body, name, ANSWER), ...(cut ? { cut } : {}) }
  }

  const exchanges = cassette.exchanges.map((exchange, index): StoredExchange => {
    // Not even referred to: a person may change it at any time.
    if (!exchange.wire) return storeWritten(exchange, index)
    const { id, prompt, response, wire } = exchange
    // Of two exchanges with one id, no reference could tell which is meant.
    const name = ids.has(id) ? '' : id
    ids.add(id)
    if (name !== '') {
      const { text, reasoning, tool_calls: calls } = response
      shared.addReadable(prompt.text, name, '/prompt/text')
      shared.addReadable(text, name, '/response/text')
      shared.addReadable(reasoning, name, '/response/reasoning')
      for (const [index, { parameters, result }] of (calls ?? []).entries()) {
        shared.addReadable(parameters, name, `/response/tool_calls/${index}/parameters`)
        shared.addReadable(result, name, `/response/tool_calls/${index}/result`)
      }
    }
    const { body, ...asked } = wire.request
    const request = { ...asked, ...storeJson(canonicalSpelling(body), name, REQUEST) }
    const answer = wire.response ? { response: storeResponse(wire.response, name) } : {}
    return { id, prompt, response, wire: { request, ...answer } } as StoredExchange
  })
  const { conversationId, timestamp, oldestAnswer, invalid, params, proposedParams } = cassette
  return {
    stored: {
      $schema: schemaPath,
      version: FORMAT_VERSION,
      conversation_id: conversationId,
      timestamp,
      ...(oldestAnswer ? { oldest_answer: oldestAnswer } : {}),
      ...(invalid ? { invalid } : {}),
      ...(params ? { params } : {}),
      ...(proposedParams ? { proposed_params: proposedParams } : {}),
      exchanges,
    },
    blobs,
  }
}

/**
 * Turns what a file holds back into a cassette.
 *
 * @param load reads a file of the `blobs` folder.
 * @throws CassetteError `invalid-cassette` for references and blobs that lead nowhere.
 */
export function decodeCassette(stored: StoredCassette, load: (name: string) => Buffer): Cassette {
  const references = new References()
  const decoder = new ValueDecoder(load)

  function loadJson(body: StoredBody, pointer: string, known: JsonObject): Body {
    const restored = restoreBody(mapBase64(body, (value) => decoder.decode(value)))
    const isWhole = restored.kind === 'json'
    const pieces: JsonValue[] = []
    if (!isWhole) known.body = pieces
    return mapJson(restored, (value) => {
      const place = isWhole ? pointer : `${pointer}/${pieces.length}`
      const resolved = references.resolve(value, place)
      if (isWhole) known.body = resolved
      else pieces.push(resolved)
      return decoder.decode(resolved)
    })
  }

  function decodeResponse(stored: StoredResponse, known: JsonObject): WireResponse {
    const { status, headers, hash: _, cut, ...answer } = stored
    const body = loadJson(answer as StoredBody, ANSWER, known)
    return { status, headers, body, ...(cut ? { cut } : {}) }
  }

  function decodeExchange(exchange: StoredExchange, index: number): Exchange {
    if (!exchange.wire) return readWritten(exchange, index)
    const { id, prompt, response, wire } = exchange
    // Filled while it is read: an answer may repeat what its own request says.
    const known = { prompt, response, wire: { request: {}, response: {} } }
    references.add(id, known as unknown as JsonObject)
    const { method, url, headers: counted, after, ...stored } = wire.request
    const request = {
      method,
      url,
      ...(counted ? { headers: counted } : {}),
      ...(after ? { after } : {}),
      body: loadJson(stored as StoredBody, REQUEST, known.wire.request),
    }
    const answer = wire.response
      ? { response: decodeResponse(wire.response, known.wire.response) }
      : {}
    return { id, prompt, response, wire: { request, ...answer } } as Exchange
  }

  const { conversation_id: conversationId, timestamp, oldest_answer: oldestAnswer } = stored
  const { invalid, params, exchanges } = stored
  return {
    conversationId,
    timestamp,
    ...(oldestAnswer ? { oldestAnswer } : {}),
    ...(invalid ? { invalid } : {}),
    ...(params ? { params } : {}),
    ...(stored.proposed_params ? { proposedParams: stored.proposed_params } : {}),
    exchanges: exchanges.map(decodeExchange),
  }
}

/** Requests are stored with sorted keys: their spelling belongs to an SDK's release, not to the prompt. */
function canonicalSpelling(body: Body): Body {
  const value = jsonOf(body)
  return value === undefined ? body : { kind: 'json', value: sortKeys(value), layout: {} }
}
