import { idOfPlace } from './format/id-of-place.ts'
import { CassetteError } from '../errors.ts'
import { loadBlob } from './blobs.ts'
import type { Cassette, Exchange } from './cassette.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Body } from '../wire/body.ts'
import { SET_COOKIE, type WireRequest, type WireResponse } from '../wire/message.ts'
import { restoreBody } from './format/bodies.ts'
import { broken, joined, References, type Referred } from './format/references.ts'
export { joined } from './format/references.ts'
import type { StoredSent, StoredExchange, StoredCassette, StoredRequest } from './format/stored.ts'

/**
 * Decodes the content of a file into a cassette.
 *
 * @param load reads a file of the folder `blobs`
 * @throws CassetteError `invalid-cassette` for references and files that lead nowhere
 */
export function decodeCassette(file: StoredCassette, load: (name: string) => Buffer): Cassette {
  const cassette = decodeWhenAsked(file, load, (error) => error)
  for (const { wire } of cassette.exchanges)
    void (wire?.request.url && wire.request.body && wire.response?.body)
  return cassette
}

/**
 * As {@link decodeCassette}, but decodes a body when it is first asked for. What a matcher asks of every exchange needs
 * no decoding.
 *
 * @param failed makes the error that is thrown then
 */
export function decodeWhenAsked(
  file: StoredCassette,
  load: (name: string) => Buffer,
  failed: (error: Error) => Error,
): Cassette {
  refuseOrders(file)
  const base64Of = (name: string): string => loadBlob(name, load)
  const references = new References(file.exchanges.map(referred), base64Of)

  function readRequest(index: number, stored: StoredRequest): WireRequest {
    const { method, url, headers, after, imported } = stored
    const place = `/exchanges/${index}/request`
    let body: Body | undefined
    let address: string | undefined
    return {
      method,
      get url() {
        try {
          return (address ??= references.url(index, url))
        } catch (error) {
          throw failed(placed(error as Error, `${place}/url`))
        }
      },
      ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
      ...(after ? { after } : {}),
      ...(imported ? { imported } : {}),
      get body() {
        const resolve = (value: JsonValue, isWhole: boolean): JsonValue =>
          isWhole ? references.requestBody(index)! : references.requestPart(index, value)
        try {
          return (body ??= restoreBody(stored, resolve, base64Of))
        } catch (error) {
          throw failed(placed(error as Error, place))
        }
      },
    }
  }

  function readResponse(index: number, stored: StoredSent): WireResponse {
    const { status, headers, cut, aborted } = stored
    let body: Body | undefined
    return {
      status,
      headers: restoreHeaders(headers),
      get body() {
        const resolve = (value: JsonValue): JsonValue => references.response(index, value)
        try {
          return (body ??= restoreBody(stored, resolve, base64Of))
        } catch (error) {
          throw failed(placed(error as Error, `/exchanges/${index}/response/sent`))
        }
      },
      ...(cut ? { cut } : {}),
      ...(aborted === undefined ? {} : { aborted }),
    }
  }

  const exchanges = file.exchanges.map((stored, index): Exchange => {
    const { sent, text = '', reasoning, ...response } = stored.response
    const hash = (file.hashes?.[index]?.split('.')[0] || undefined) ?? stored.prompt.hash
    return {
      id: stored.id ?? idOfPlace(index),
      prompt: {
        ...stored.prompt,
        text: joined(stored.prompt.text),
        metadata: stored.prompt.metadata ?? {},
        ...(hash ? { hash } : {}),
      },
      response: {
        text: joined(text),
        ...(reasoning === undefined ? {} : { reasoning: joined(reasoning) }),
        ...response,
      },
      ...(stored.request
        ? {
            wire: {
              request: readRequest(index, stored.request),
              ...(sent ? { response: readResponse(index, sent) } : {}),
            },
          }
        : {}),
    } as Exchange
  })
  const { conversation_id: conversationId, timestamp, oldest_answer: oldestAnswer } = file
  const { invalid, params, proposed_params: proposedParams } = file
  return {
    conversationId,
    timestamp,
    ...(oldestAnswer ? { oldestAnswer } : {}),
    ...(invalid ? { invalid } : {}),
    ...(params ? { params } : {}),
    ...(proposedParams ? { proposedParams } : {}),
    exchanges,
  }
}

/** The error of a reference or of a body, with its place. The other ones name a file. */
function placed(error: Error, place: string): Error {
  if (error.cause !== 'reference' && error.cause !== 'body') return error
  const { cause, message } = error
  return new CassetteError('invalid-cassette', `at ${place}: ${message}`, { cause })
}

/** Refuses an exchange that follows none before it: no replay could ever reach it. */
function refuseOrders({ exchanges }: StoredCassette): void {
  const earlier = new Set<string>()
  for (const [index, { id, request }] of exchanges.entries()) {
    const after = request?.after
    if (after !== undefined && !earlier.has(after))
      throw broken(`at /exchanges/${index}/request/after: no earlier exchange is called ${after}`)
    earlier.add(id ?? idOfPlace(index))
  }
}

function referred({ id, prompt, request, response }: StoredExchange, index: number): Referred {
  return {
    id: id ?? idOfPlace(index),
    prompt: prompt.text,
    text: response.text ?? '',
    renewed: response.sent?.renewed ?? [],
    body: request?.body,
  }
}

function restoreHeaders(stored: StoredSent['headers']): WireResponse['headers'] {
  const headers: WireResponse['headers'] = {}
  for (const name in stored) {
    const value = stored[name]!
    if (typeof value === 'string') headers[name] = value
    else headers[name] = value.join(name === SET_COOKIE ? '\n' : ', ')
  }
  return headers
}
