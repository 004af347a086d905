import type { WireRequest } from '../../src/wire/message.ts'
import type { Sample } from './samples/sample.ts'
import { requestTo } from './wire.ts'

/** The request of a sample, and where that asks for a stream, the one that asks for the answer at once. */
export function requestsOf(sample: Sample): [form: string, WireRequest][] {
  const { body, unstreamed = body.stream === true ? { body: { ...body, stream: false } } : null } =
    sample
  const asked: [string, WireRequest] = ['as the sample asks', requestOf(sample)]
  return unstreamed ? [asked, ['at once', requestOf({ ...sample, ...unstreamed })]] : [asked]
}

function requestOf({ url, method, headers, body }: Sample): WireRequest {
  return { ...requestTo(url, body, method), ...(headers ? { headers } : {}) }
}
