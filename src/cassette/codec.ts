import type { JsonValue } from '../json/json-value.ts'
import { sortKeys } from '../json/sort-keys.ts'
import { jsonOf, type Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { extractBlobs, insertBlobs } from './blobs.ts'
import type { Cassette, Exchange } from './cassette.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import { resolveShared, SharedValues, unwrapDeep, wrapDeep } from './shared-values.ts'
import { mapJson, restoreBody, storeBody, type StoredBody } from './stored-body.ts'

/** A cassette ready to be written, and the files that its prompts and answers contain. */
export interface EncodedCassette {
  stored: StoredCassette
  blobs: Map<string, Buffer>
}

/** Turns a cassette into what its file holds: linear in the length of the conversation. */
export function encodeCassette(cassette: Cassette, schemaPath: string): EncodedCassette {
  const shared = new SharedValues()
  const blobs = new Map<string, Buffer>()
  const extract = (value: JsonValue): JsonValue =>
    extractBlobs(value, (name, bytes) => blobs.set(name, bytes))

  const exchanges = cassette.exchanges.map(({ id, prompt, response, wire }): StoredExchange => {
    const request = mapJson(canonicalSpelling(wire.request.body), (body) =>
      extract(shared.store(body, id)),
    )
    const { headers, status, cut } = wire.response
    return {
      id,
      prompt,
      response,
      wire: {
        request: { method: wire.request.method, url: wire.request.url, ...storeBody(request) },
        response: {
          status,
          headers,
          ...storeBody(mapJson(wire.response.body, (value) => extract(wrapDeep(value)))),
          ...(cut ? { cut } : {}),
        },
      },
    }
  })
  const { conversationId, timestamp } = cassette
  return {
    stored: {
      $schema: schemaPath,
      version: FORMAT_VERSION,
      conversation_id: conversationId,
      timestamp,
      exchanges,
    },
    blobs,
  }
}

/**
 * Turns what a file holds back into a cassette.
 *
 * @param loadBlob reads a file of the `blobs` folder.
 * @throws CassetteError `invalid-cassette` for references and blobs that lead nowhere.
 */
export function decodeCassette(
  stored: StoredCassette,
  loadBlob: (name: string) => Buffer,
): Cassette {
  const bodies = new Map<string, JsonValue>()

  function decodeRequest(
    id: string,
    { method, url, ...stored }: StoredExchange['wire']['request'],
  ): WireRequest {
    const body = mapJson(restoreBody(stored as StoredBody), (value) =>
      resolveShared(insertBlobs(value, loadBlob), bodies),
    )
    if (body.kind === 'json') bodies.set(id, body.value)
    return { method, url, body }
  }

  function decodeResponse(stored: StoredExchange['wire']['response']): WireResponse {
    const { status, headers, cut, ...body } = stored
    const restored = mapJson(restoreBody(body as StoredBody), (value) =>
      unwrapDeep(insertBlobs(value, loadBlob)),
    )
    return { status, headers, body: restored, ...(cut ? { cut } : {}) }
  }

  return {
    conversationId: stored.conversation_id,
    timestamp: stored.timestamp,
    exchanges: stored.exchanges.map(
      ({ id, prompt, response, wire }) =>
        ({
          id,
          prompt,
          response,
          wire: {
            request: decodeRequest(id, wire.request),
            response: decodeResponse(wire.response),
          },
        }) as Exchange,
    ),
  }
}

/** Requests are stored with sorted keys: their spelling belongs to an SDK's release, not to the prompt. */
function canonicalSpelling(body: Body): Body {
  const value = jsonOf(body)
  return value === undefined ? body : { kind: 'json', value: sortKeys(value), layout: {} }
}
