import { idOfPlace } from '../format/written-exchange.ts'
import { loadBlob } from '../stored-body.ts'
import type { Cassette, Exchange } from '../cassette.ts'
import type { Body } from '../../wire/body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { restoreFileBody } from './bodies.ts'
import { joined, FileReferences, type Referred } from './sources.ts'
import type { SentResponse, FileExchange, StoredFile, FileRequest } from './stored.ts'

/**
 * Decodes a file into a cassette. A body is decoded when it is first asked for.
 *
 * @param load reads a file of the folder `blobs`
 */
export function decodeFile(file: StoredFile, load: (name: string) => Buffer): Cassette {
  const base64Of = (name: string): string => loadBlob(name, load)
  const references = new FileReferences(file.exchanges.map(referred), base64Of)

  function readRequest(index: number, stored: FileRequest): WireRequest {
    const { method, url, headers, after, imported } = stored
    let body: Body | undefined
    let address: string | undefined
    return {
      method,
      get url() {
        return (address ??= references.url(index, url))
      },
      ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
      ...(after ? { after } : {}),
      ...(imported ? { imported } : {}),
      get body() {
        return (body ??= restoreFileBody(
          stored,
          (value, isWhole) =>
            isWhole ? references.requestBody(index)! : references.requestPart(index, value),
          base64Of,
        ))
      },
    }
  }

  function readResponse(index: number, stored: SentResponse): WireResponse {
    const { status, headers, cut, aborted } = stored
    let body: Body | undefined
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      get body() {
        return (body ??= restoreFileBody(
          stored,
          (value) => references.response(index, value),
          base64Of,
        ))
      },
      ...(cut ? { cut } : {}),
      ...(aborted === undefined ? {} : { aborted }),
    }
  }

  const exchanges = file.exchanges.map((stored, index): Exchange => {
    const { sent, text = '', reasoning, ...response } = stored.response
    const hash = file.hashes?.[index]?.slice(0, 22) ?? stored.prompt.hash
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

function referred({ id, prompt, request, response }: FileExchange, index: number): Referred {
  return {
    id: id ?? idOfPlace(index),
    prompt: prompt.text,
    text: response.text ?? '',
    renewed: response.sent?.renewed ?? [],
    body: request?.body,
  }
}
