import { web } from '../../../real/web.ts'

/** What a request is made of. */
interface Made {
  method: string
  headers: Headers
  body: Buffer<ArrayBuffer> | ArrayBuffer | null
  signal: AbortSignal
}

/** Methods to which `Request` permits no body. Searches of Elasticsearch are a GET with one. */
const WITHOUT_BODY = /^(?:GET|HEAD)$/i

/** Makes a request of any method with a body, whose length is a header: that tells it from a preflight. */
export function newRequest(url: string | URL, { method, headers, body, signal }: Made): Request {
  const isOther = isRefusedByFetch({ method, body })
  const made = new web.Request(url, { method: isOther ? 'POST' : method, headers, body, signal })
  if (body !== null) made.headers.set('content-length', String(body.byteLength))
  return isOther ? asMethod(made, method.toUpperCase()) : made
}

/** Names another method of a request, and of its clones. */
function asMethod(request: Request, method: string): Request {
  const clone = request.clone.bind(request)
  return Object.defineProperties(request, {
    method: { value: method },
    clone: { value: () => asMethod(clone(), method) },
  })
}

/** Whether fetch refuses to send a body with a method. */
export function isRefusedByFetch({
  method = 'GET',
  body,
}: Pick<RequestInit, 'method' | 'body'>): boolean {
  return (body ?? null) !== null && WITHOUT_BODY.test(method)
}
