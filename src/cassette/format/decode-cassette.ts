import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Body } from '../../wire/body.ts'
import type { Older, WireResponse } from '../../wire/message.ts'
import type { Cassette, Exchange } from './cassette.ts'
import { ValueDecoder } from './decode-value.ts'
import type { StoredCassette, StoredExchange } from './format.ts'
import { hashesOf } from './stored-hashes.ts'
import { restoreReadable, restoreText } from './text-lines.ts'
import { INLINE_VERSION, OLDER_VERSION } from './patterns.ts'
import { ANSWER_BODY, REQUEST_BODY } from './pointer.ts'
import { hasReserved } from './reserved-keys.ts'
import { References } from './resolve-references.ts'
import { mapBase64, mapJson, restoreBody, type StoredBody } from './stored-body.ts'
import { restoreWritten } from './written-exchange.ts'

type StoredResponse = NonNullable<NonNullable<StoredExchange['wire']>['response']>

/**
 * Decodes the content of a file into a cassette.
 *
 * @param load reads a file of the `blobs` folder.
 * @throws CassetteError `invalid-cassette` for references and blobs that lead nowhere.
 */
export function decodeCassette(file: StoredCassette, load: (name: string) => Buffer): Cassette {
  const references = new References()
  const decoder = new ValueDecoder(load)
  const isInline = [OLDER_VERSION, INLINE_VERSION].includes(file.version)
  const keptBy = olderOf(file.version)

  function loadJson(body: StoredBody, pointer: string, known: JsonObject): Body {
    const restored = restoreBody(mapBase64(body, (value) => decoder.decode(value)))
    const isWhole = restored.kind === 'json'
    const pieces: JsonValue[] = []
    if (!isWhole) known.body = pieces
    return mapJson(restored, (value) => {
      const isPlain = !hasReserved(value)
      const place = isWhole ? pointer : `${pointer}/${pieces.length}`
      const resolved = isPlain ? value : references.resolve(value, place)
      if (isWhole) known.body = resolved
      else pieces.push(resolved)
      return isPlain ? value : decoder.decode(resolved)
    })
  }

  function decodeResponse(stored: StoredResponse, known: JsonObject): WireResponse {
    const { status, headers, hash: _, cut, aborted, ...answer } = stored
    const body = loadJson(answer as StoredBody, ANSWER_BODY, known)
    const ending = { ...(cut ? { cut } : {}), ...(aborted === undefined ? {} : { aborted }) }
    return { status, headers, body, ...ending }
  }

  function decodeExchange(exchange: StoredExchange, index: number): Exchange {
    if (!exchange.wire) return restoreWritten(exchange, index)
    const { id, prompt, response, wire } = exchange
    // Filled while the exchange is read: an answer may refer to its own request.
    const known = { prompt, response, wire: { request: {}, response: {} } }
    references.add(id, known as unknown as JsonObject)
    const { method, url, headers: counted, older = keptBy, after, ...stored } = wire.request
    const request = {
      method,
      url,
      ...(counted && Object.keys(counted).length > 0 ? { headers: counted } : {}),
      ...(older ? { older } : {}),
      ...(after ? { after } : {}),
      body: loadJson(stored as StoredBody, REQUEST_BODY, known.wire.request),
    }
    const answer = wire.response
      ? { response: decodeResponse(wire.response, known.wire.response) }
      : {}
    const { prompt: hash } = hashesOf(file, exchange)
    const asked = { ...prompt, text: restoreText(prompt.text), ...(hash ? { hash } : {}) }
    const said = isInline ? response : restoreReadable(response as JsonObject)
    return { id, prompt: asked, response: said, wire: { request, ...answer } } as Exchange
  }

  const { conversation_id: conversationId, timestamp, oldest_answer: oldestAnswer } = file
  const { invalid, params, exchanges } = file
  return {
    conversationId,
    timestamp,
    ...(oldestAnswer ? { oldestAnswer } : {}),
    ...(invalid ? { invalid } : {}),
    ...(params ? { params } : {}),
    ...(file.proposed_params ? { proposedParams: file.proposed_params } : {}),
    exchanges: exchanges.map(decodeExchange),
  }
}

function olderOf(version: string): Older | undefined {
  if (version === OLDER_VERSION) return true
  return version === INLINE_VERSION || version === '1.2' ? '1.2' : undefined
}
