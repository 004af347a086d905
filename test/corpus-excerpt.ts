import { textOf, writeBody } from '../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../src/wire/message.ts'
import type { CorpusExchange } from './corpus.ts'
import { requestsOf } from './providers/sample-requests.ts'
import { samples } from './providers/samples/index.ts'
import type { Sample } from './providers/samples/sample.ts'
import { streamedFormOf } from './providers/streamed-form.ts'
import { answer } from './providers/wire.ts'

const REFUSAL = answer({ error: { message: 'Too fast.', code: 429 } }, 429)

/** The samples of all formats in the form of the corpus: answered at once, as a stream, and refused. */
export function corpusExcerpt(): CorpusExchange[] {
  return samples
    .filter(({ method, dialect }) => method !== 'SEND' && dialect !== 'generic')
    .flatMap((sample) =>
      requestsOf(sample).flatMap(([form, request]) => [
        exchangeOf(sample, request, form === 'at once' ? answer(sample.plain) : answerOf(sample)),
        exchangeOf(sample, request, REFUSAL),
      ]),
    )
}

function answerOf(sample: Sample): WireResponse {
  return sample.events ? streamedFormOf(sample).streamed(...sample.events) : answer(sample.plain)
}

function exchangeOf(sample: Sample, request: WireRequest, response: WireResponse): CorpusExchange {
  const isBinary = response.body.kind === 'frames'
  return {
    provider: new URL(request.url).host,
    method: request.method,
    url: request.url,
    request_body: textOf(request.body),
    request_body_encoding: 'utf8',
    status: response.status,
    response_headers: response.headers,
    response_body: Buffer.concat(writeBody(response.body)).toString(isBinary ? 'base64' : 'utf8'),
    response_body_encoding: isBinary ? 'base64' : 'utf8',
    streaming: sample.events !== undefined && response.body.kind !== 'json',
  }
}
