import type { JsonValue } from '../../json/json-value.ts'
import { sortKeys } from '../../json/sort-keys.ts'
import { jsonOf, type Body } from '../../wire/body.ts'
import { rememberFor } from '../../remember.ts'
import type { WireResponse } from '../../wire/message.ts'
import { hashAnswer } from './answer-hash.ts'
import type { Cassette, Exchange } from './cassette.ts'
import { ValueEncoder } from './encode-value.ts'
import { withFileHash } from './file-hash.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import { OLDER_VERSION } from './patterns.ts'
import { ANSWER_BODY, REQUEST_BODY } from './pointer.ts'
import { SharedValues } from './shared-values.ts'
import { mapBase64, mapJson, storeBody, type StoredBody } from './stored-body.ts'
import { storeWritten } from './written-exchange.ts'

/** A cassette ready to be written, and the files that its prompts and answers contain. */
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

/** Turns a cassette into what its file holds: linear in the length of the conversation. */
export function encodeCassette(cassette: Cassette, schemaPath: string): EncodedCassette {
  const { conversationId, timestamp, oldestAnswer, invalid, params, proposedParams } = cassette
  const { version, exchanges, blobs } = encodeExchanges(cassette.exchanges)
  return {
    stored: withFileHash({
      $schema: schemaPath,
      version,
      conversation_id: conversationId,
      timestamp,
      ...(oldestAnswer ? { oldest_answer: oldestAnswer } : {}),
      ...(invalid ? { invalid } : {}),
      ...(params ? { params } : {}),
      ...(proposedParams ? { proposed_params: proposedParams } : {}),
      exchanges,
    }),
    blobs,
  }
}

/** Encodes exchanges; once, however often a recording is looked at before it is written. */
export const encodeExchanges: (exchanges: readonly Exchange[]) => EncodedExchanges =
  rememberFor(encode)

function encode(all: readonly Exchange[]): EncodedExchanges {
  const shared = new SharedValues()
  const blobs = new Map<string, Buffer>()
  const encoder = new ValueEncoder((name, bytes) => blobs.set(name, bytes))
  const ids = new Set<string>()
  const isOlder = all.every(({ wire }) => !wire || wire.request.older)

  function storeJson(body: Body, id: string, pointer: string): StoredBody {
    const isWhole = body.kind === 'json'
    const store = (value: JsonValue, piece: number): JsonValue => {
      const encoded = encoder.encode(value)
      if (id === '') return encoded
      const place = isWhole ? pointer : `${pointer}/${piece}`
      return shared.store(encoded, id, place, isWhole && pointer === REQUEST_BODY)
    }
    let piece = 0
    const stored = storeBody(mapJson(body, (value) => store(value, piece++)))
    return mapBase64(stored, (value) => encoder.encode(value))
  }

  function storeResponse(response: WireResponse, name: string) {
    const { headers, status, cut, aborted, body } = response
    const hash = hashAnswer(response)
    const ending = { ...(cut ? { cut } : {}), ...(aborted === undefined ? {} : { aborted }) }
    return { status, headers, hash, ...storeJson(body, name, ANSWER_BODY), ...ending }
  }

  const exchanges = all.map((exchange, index): StoredExchange => {
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
    const { body, older, ...counted } = wire.request
    const asked = { ...counted, ...(older && !isOlder ? { older } : {}) }
    const request = { ...asked, ...storeJson(canonicalSpelling(body), name, REQUEST_BODY) }
    const answer = wire.response ? { response: storeResponse(wire.response, name) } : {}
    return { id, prompt, response, wire: { request, ...answer } } as StoredExchange
  })
  return { version: isOlder ? OLDER_VERSION : FORMAT_VERSION, exchanges, blobs }
}

/** Requests are stored with sorted keys: their spelling belongs to an SDK's release, not to the prompt. */
function canonicalSpelling(body: Body): Body {
  const value = jsonOf(body)
  return value === undefined ? body : { kind: 'json', value: sortKeys(value), layout: {} }
}
