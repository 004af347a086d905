import { idOfPlace } from './format/id-of-place.ts'
import type { JsonValue } from '../json/json-value.ts'
import { loadBlob } from './blobs.ts'
import type { Cassette, Exchange, ToolCallSummary } from './cassette.ts'
import type { Body } from '../wire/body.ts'
import { SET_COOKIE, type WireRequest, type WireResponse } from '../wire/message.ts'
import { type Resolve, restoreBody, type StoredBody } from './format/bodies.ts'
import { isCountedHere } from '../prompt/request-hash.ts'
import { hashesAt } from './format/rules.ts'
import { refuseFile, type Refusal } from './format/refuse-file.ts'
import { isAddress, joined, References, type Referred } from './format/references.ts'
export { joined } from './format/references.ts'
import type {
  StoredCall,
  StoredCassette,
  StoredExchange,
  StoredRequest,
  StoredSent,
} from './format/stored.ts'

/**
 * Decodes the content of a file into a cassette.
 *
 * @param load reads a file of the folder `blobs`
 * @throws CassetteError `invalid-cassette` for references and files that lead nowhere
 */
export function decodeCassette(file: StoredCassette, load: (name: string) => Buffer): Cassette {
  return decodeBodies(decodeWhenAsked(file, load, (error) => error))
}

/** Decodes what of a cassette was not asked for yet. Only so is it known that the whole of it can be read. */
export function decodeBodies(cassette: Cassette): Cassette {
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
  const base64Of = (name: string): string => loadBlob(name, load)
  const references = new References(file.exchanges.map(referred), base64Of)
  const bodies: Bodies = { references, base64Of, failed }
  // Hashes by other rules, such as those of a test with volatile values, tell nothing here.
  const isOfRules = isCountedHere(file)
  const exchanges = file.exchanges.map((stored, index): Exchange => {
    const after = stored.request?.after
    if (after !== undefined) references.refuseLater(after, index)
    const { sent, text = '', reasoning, ...response } = stored.response
    const [counted] = isOfRules ? hashesAt(file, index) : []
    const hash = counted || stored.prompt.hash
    const { tool_calls: calls } = response
    return {
      id: stored.id ?? idOfPlace(index),
      ...(stored.sample === undefined ? {} : { sample: stored.sample }),
      ...(stored.part === undefined ? {} : { part: stored.part }),
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
        ...(calls ? { tool_calls: calls.map(withParameters) } : {}),
      },
      ...(stored.request
        ? {
            wire: {
              request: readRequest(index, stored.request, bodies),
              ...(sent ? { response: readResponse(index, sent, bodies) } : {}),
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

/** What the bodies of a file are read with. */
interface Bodies {
  references: References
  base64Of: (name: string) => string
  failed: (error: Error) => Error
}

// Functions of the module, which the build makes eager, and few of them: each exchange of a first call runs through all.

function readRequest(index: number, stored: StoredRequest, bodies: Bodies): WireRequest {
  const { method, url, headers, after, imported } = stored
  let address: string | undefined
  let body: Body | undefined
  return {
    method,
    get url() {
      return (address ??= isAddress(url) ? url : readUrl(index, url, bodies))
    },
    ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
    ...(after ? { after } : {}),
    ...(imported ? { imported } : {}),
    get body() {
      return (body ??= readStored(index, stored, bodies, false))
    },
  }
}

function readResponse(index: number, stored: StoredSent, bodies: Bodies): WireResponse {
  const { status, headers, cut, aborted } = stored
  let body: Body | undefined
  return {
    status,
    headers: joinedHeaders(headers),
    get body() {
      return (body ??= readStored(index, stored, bodies, true))
    },
    ...(cut ? { cut } : {}),
    ...(aborted === undefined ? {} : { aborted }),
  }
}

function joinedHeaders(headers: StoredSent['headers']): WireResponse['headers'] {
  if (!Object.values(headers).some(Array.isArray)) return headers as WireResponse['headers']
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      [value].flat().join(name === SET_COOKIE ? '\n' : ', '),
    ]),
  )
}

function readUrl(index: number, url: JsonValue, { references, failed }: Bodies): string {
  try {
    return references.url(index, url)
  } catch (error) {
    throw failed(placed(error as Error, `/exchanges/${index}/request/url`))
  }
}

function readStored(
  index: number,
  stored: StoredBody,
  { references, base64Of, failed }: Bodies,
  isResponse: boolean,
): Body {
  const resolve: Resolve = (value, isWhole) => {
    if (isResponse) return references.response(index, value)
    return isWhole ? references.requestBody(index)! : references.requestPart(index, value)
  }
  try {
    return restoreBody(stored, resolve, base64Of)
  } catch (error) {
    const place = isResponse ? 'response/sent' : 'request'
    throw failed(placed(error as Error, `/exchanges/${index}/${place}`))
  }
}

/** The error of a reference or of a body, with its place. The other ones name a file. */
function placed(error: Error, place: string): Error {
  const { cause, message } = error
  if (typeof cause !== 'string' || cause === 'file') return error
  return refuseFile(`at ${place}: ${message}`, cause as Refusal)
}

/** A call that a person wrote may leave its parameters out. */
function withParameters(call: StoredCall): ToolCallSummary {
  const { tool_name, parameters = {}, ...rest } = call
  return { tool_name, parameters, ...rest }
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
