/** Opens the text of every refusal, so that errors made from one can be recognised. */
export const REFUSAL_MARK = '[vitest-cassette]'

/** Paths of Ollama's own API, whose client expects the error to be a string. */
const OLLAMA_PATH = /\/api\/(chat|generate|embed)$/

/** What tells SDKs not to ask again. */
export const REFUSAL_HEADERS = {
  'x-should-retry': 'false',
  'x-amzn-errortype': 'ValidationException',
}

/**
 * The one answer that every SDK takes as final: a 400 that says not to retry, in a body that the
 * providers' clients all read their message from. Network errors and 5xx are retried for seconds.
 */
export function refuse(url: string, text: string): Response {
  return Response.json(refusalBody(url, text), { status: 400, headers: REFUSAL_HEADERS })
}

/** What a refusal says, for clients that are answered without a response of fetch. */
export function refusalBody(url: string, text: string): object {
  const message = `${REFUSAL_MARK} ${text}`
  const error = {
    message,
    type: 'invalid_request_error',
    code: 400,
    status: 'INVALID_ARGUMENT',
    param: null,
  }
  return OLLAMA_PATH.test(new URL(url).pathname)
    ? { error: message }
    : { type: 'error', error, message }
}

/** True for an error that an application or SDK made from a refusal, however it wrapped it. */
export function comesFromRefusal(error: unknown): boolean {
  for (let current = error, depth = 0; current && depth < 10; depth++) {
    const { message, stack, cause } = current as Partial<Error>
    if (message?.includes(REFUSAL_MARK) || stack?.includes(REFUSAL_MARK)) return true
    current = cause
  }
  return false
}
