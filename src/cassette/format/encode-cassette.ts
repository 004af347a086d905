import { isJsonObject, tryReadJson, type JsonValue } from '../../json/json-value.ts'
import { sortKeys } from '../../json/sort-keys.ts'
import { jsonOf, type Body } from '../../wire/body.ts'
import { rememberFor } from '../../remember.ts'
import { keptLess } from '../../wire/as-older.ts'
import type { WireResponse } from '../../wire/message.ts'
import { hashAnswer } from './answer-hash.ts'
import type { Cassette, Exchange, ResponseSummary, ToolCallSummary } from './cassette.ts'
import { cutPrompt } from './cut-prompt.ts'
import { ValueEncoder } from './encode-value.ts'
import { withFileHash } from './file-hash.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import { OLDER_VERSION } from './patterns.ts'
import { ANSWER_BODY, REQUEST_BODY } from './pointer.ts'
import { takeHashes } from './stored-hashes.ts'
import { MIN_ANSWER, storeReadable, storeText, storeTexts, type StoredText } from './text-lines.ts'
import { SharedValues } from './shared-values.ts'
import { mapBase64, mapJson, storeBody, type StoredBody } from './stored-body.ts'
import { storeWritten } from './written-exchange.ts'

/** A cassette ready to be written, and the blobs of its prompts and answers. */
export interface EncodedCassette {
  stored: StoredCassette
  blobs: Map<string, Buffer>
}

/** The exchanges of a cassette as its file holds them. */
export interface EncodedExchanges {
  version: string
  exchanges: StoredExchange[]
  blobs: Map<string, Buffer>
}

/** Encodes a cassette for its file, in time linear in the length of the conversation. */
export function encodeCassette(cassette: Cassette, schemaPath: string): EncodedCassette {
  const { conversationId, timestamp, oldestAnswer, invalid, params, proposedParams } = cassette
  const { version, exchanges: encoded, blobs } = encodeExchanges(cassette.exchanges)
  const { exchanges, hashes } =
    version !== OLDER_VERSION ? takeHashes(encoded) : { exchanges: encoded }
  return {
    stored: withFileHash({
      $schema: schemaPath,
      version,
      conversation_id: conversationId,
      timestamp,
      oldest_answer: oldestAnswer,
      hashes,
      invalid,
      params,
      proposed_params: proposedParams,
      exchanges,
    }),
    blobs,
  }
}

/** Encodes exchanges, and remembers the result for later calls. */
export const encodeExchanges: (exchanges: readonly Exchange[]) => EncodedExchanges =
  rememberFor(encode)

function encode(all: readonly Exchange[]): EncodedExchanges {
  const shared = new SharedValues()
  const blobs = new Map<string, Buffer>()
  const encoder = new ValueEncoder((name, bytes) => blobs.set(name, bytes))
  const ids = new Set<string>()
  const kept = all.map(({ wire }) => (wire ? wire.request.older : true))
  const isOlder = kept.every((older) => older === true)
  // The file of an older release stays such as long as nothing new is in it.
  const version = isOlder ? OLDER_VERSION : kept.every(keptLess) ? '1.2' : FORMAT_VERSION

  function storeJson(body: Body, id: string, pointer: string): StoredBody {
    const isWhole = body.kind === 'json'
    const store = (value: JsonValue, piece: number): JsonValue => {
      const encoded = encoder.encode(value)
      if (id === '') return encoded
      const place = isWhole ? pointer : `${pointer}/${piece}`
      const isRequest = isWhole && pointer === REQUEST_BODY
      const referring = shared.store(encoded, id, place, isRequest)
      // The events of a stream stand on a line each.
      if (!isWhole || isOlder) return referring
      // In the place of a body, a text in pieces would be a body that is no JSON.
      return typeof value === 'string' ? inOnePiece(referring, value) : storeTexts(referring)
    }
    let piece = 0
    const stored = storeBody(
      mapJson(body, (value) => store(value, piece++)),
      !isOlder,
    )
    return mapBase64(stored, (value) => encoder.encode(value))
  }

  /** The readable half of a prompt, in which long texts of the request are pieces of their own. */
  function cut(prompt: Exchange['prompt'], name: string, body: Body): StoredPrompt {
    const value = jsonOf(body)
    const isKnown = (text: string): boolean => shared.knows(text)
    const found = value === undefined ? undefined : cutPrompt(prompt.text, value, isKnown)
    if (!found) return { ...prompt, text: storeText(prompt.text) }
    for (const { text, from, count } of found.shared)
      shared.addPieces(text, name, '/prompt/text/$text', from, count)
    return { ...prompt, text: { $text: found.pieces } }
  }

  function storeResponse(response: WireResponse, name: string) {
    const { headers, status, cut, aborted, body } = response
    const hash = hashAnswer(response)
    const ending = { ...(cut ? { cut } : {}), ...(aborted === undefined ? {} : { aborted }) }
    return { status, headers, hash, ...storeJson(body, name, ANSWER_BODY), ...ending }
  }

  const exchanges = all.map((exchange, index): StoredExchange => {
    // Nothing refers to a written exchange, because a person may change it at any time.
    if (!exchange.wire) return storeWritten(exchange, index)
    const { id, prompt, response, wire } = exchange
    let asked: StoredPrompt = { ...prompt, text: storeText(prompt.text) }
    // A reference could not tell apart two exchanges with one id.
    const name = ids.has(id) ? '' : id
    ids.add(id)
    if (name !== '') {
      const { text, reasoning, tool_calls: calls } = response
      shared.addReadable(prompt.text, name, '/prompt/text')
      if (!isOlder) asked = cut(prompt, name, wire.request.body)
      const least = isOlder ? undefined : MIN_ANSWER
      shared.addReadable(text, name, '/response/text', least)
      shared.addReadable(reasoning, name, '/response/reasoning')
      for (const [index, { parameters, result }] of (calls ?? []).entries()) {
        shared.addReadable(parameters, name, `/response/tool_calls/${index}/parameters`, least)
        shared.addReadable(result, name, `/response/tool_calls/${index}/result`)
      }
    }
    const said = isOlder ? { prompt, response } : { prompt: asked, response: describe(response) }
    const { body, older, ...counted } = wire.request
    const isSaid = older && older !== (isOlder || version)
    const address = { ...counted, ...(isSaid ? { older } : {}) }
    const request = { ...address, ...storeJson(canonicalSpelling(body), name, REQUEST_BODY) }
    const answer = wire.response ? { response: storeResponse(wire.response, name) } : {}
    return { id, ...said, wire: { request, ...answer } } as StoredExchange
  })
  return { version, exchanges, blobs }
}

/** The stored form of a text; the text itself where it is stored in pieces. */
function inOnePiece(stored: JsonValue, text: string): JsonValue {
  return isJsonObject(stored) && '$text' in stored ? text : stored
}

type StoredPrompt = Omit<Exchange['prompt'], 'text'> & { text: string | StoredText }

/** The readable half of an answer. */
function describe({ text, reasoning, tool_calls: calls, ...rest }: ResponseSummary): object {
  return {
    text: storeText(text),
    ...(reasoning === undefined ? {} : { reasoning: storeText(reasoning) }),
    ...(calls ? { tool_calls: calls.map(describeCall) } : {}),
    ...rest,
  }
}

function describeCall({ tool_name, parameters, result }: ToolCallSummary): object {
  return {
    tool_name,
    parameters: storeReadable(parameters),
    ...(result === undefined ? {} : { result: storeReadable(result) }),
  }
}

/** Requests are stored with sorted keys, because key order depends on the release of an SDK and not on the prompt. */
function canonicalSpelling(body: Body): Body {
  const value = jsonOf(body)
  // With a key twice, its text says more than its value.
  const isText = value === undefined || (body.kind === 'text' && tryReadJson(body.text)?.isTwice)
  return isText ? body : { kind: 'json', value: sortKeys(value), layout: {} }
}
