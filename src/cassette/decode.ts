import { idOfPlace } from './format/id-of-place.ts'
import { loadBlob } from './blobs.ts'
import type { Cassette, Exchange, ToolCallSummary } from './cassette.ts'
import type { Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { restoreBody } from './format/bodies.ts'
import { RULES } from './format/rules.ts'
import { refuseFile } from './format/refuse-file.ts'
import { joined, References, type Referred } from './format/references.ts'
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
  const base64Of = (name: string): string => loadBlob(name, load)
  const references = new References(file.exchanges.map(referred), base64Of)
  refuseLaterAfter(file)

  function orFail<Read>(read: () => Read): Read {
    try {
      return read()
    } catch (error) {
      throw failed(error as Error)
    }
  }

  function readRequest(index: number, stored: StoredRequest): WireRequest {
    const { method, url, headers, after, imported } = stored
    let body: Body | undefined
    let address: string | undefined
    return {
      method,
      get url() {
        return (address ??= orFail(() => references.url(index, url)))
      },
      ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
      ...(after ? { after } : {}),
      ...(imported ? { imported } : {}),
      get body() {
        return (body ??= orFail(() =>
          restoreBody(
            stored,
            (value, isWhole) =>
              isWhole ? references.requestBody(index)! : references.requestPart(index, value),
            base64Of,
          ),
        ))
      },
    }
  }

  function readResponse(index: number, stored: StoredSent): WireResponse {
    const { status, headers, cut, aborted } = stored
    let body: Body | undefined
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      get body() {
        return (body ??= orFail(() =>
          restoreBody(stored, (value) => references.response(index, value), base64Of),
        ))
      },
      ...(cut ? { cut } : {}),
      ...(aborted === undefined ? {} : { aborted }),
    }
  }

  // Hashes by other rules, such as those of a test with volatile values, tell nothing here.
  const isOfRules = file.rules?.length === 1 && file.rules[0] === RULES
  const exchanges = file.exchanges.map((stored, index): Exchange => {
    const { sent, text = '', reasoning, ...response } = stored.response
    const counted = isOfRules ? file.hashes?.[index]?.split('.')[0] : undefined
    const hash = counted || stored.prompt.hash
    const { tool_calls: calls } = response
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
        ...(calls ? { tool_calls: calls.map(withParameters) } : {}),
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

/** A call that a person wrote may leave its parameters out. */
function withParameters(call: StoredCall): ToolCallSummary {
  const { tool_name, parameters = {}, ...rest } = call
  return { tool_name, parameters, ...rest }
}

/** Refuses an exchange that has to wait for one that does not stand before it. */
function refuseLaterAfter({ exchanges }: StoredCassette): void {
  if (!exchanges.some(({ request }) => request?.after !== undefined)) return
  const earlier = new Set<string>()
  for (const [index, { id = idOfPlace(index), request }] of exchanges.entries()) {
    const after = request?.after
    if (after !== undefined && !earlier.has(after))
      throw refuseFile(
        `at /exchanges/${index}/request/after: no earlier exchange is called ${after}`,
        'reference',
      )
    earlier.add(id)
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
