/** Headers that decide how a client treats an answer. A replay shortens `retry-after`: see `retriedAtOnce`. */
const DECIDING = [
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-amzn-bedrock-content-type',
  'x-amzn-errortype',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-size-received',
  'x-goog-upload-status',
  'x-should-retry',
] as const

/** Headers with an address that a client follows. */
export const LEADING_HEADERS = [
  'azure-asyncoperation',
  'location',
  'operation-location',
  'x-goog-upload-control-url',
  'x-goog-upload-url',
] as const

/** The headers by which two answers differ. All others that are kept are told beside the answer. */
export const COUNTING_HEADERS: ReadonlySet<string> = new Set([...DECIDING, ...LEADING_HEADERS])

/** Headers that clients show to their applications although they name a request, or what is left of a limit. */
const SHOWN =
  /^(?:anthropic-ratelimit-(?:input-tokens|output-tokens|requests|tokens)-(?:limit|remaining|reset)|apim-request-id|openai-processing-ms|request-id|x-amzn-requestid|x-ratelimit-(?:limit|remaining|reset)-(?:requests|tokens)|x-request-id)$/

/** Headers of a connection, and of what stands between a client and its provider. */
const OF_CONNECTION =
  /^(?:alt-svc|cf-.*|connection|content-encoding|content-length|fly-.*|keep-alive|nel|proxy-.*|report-to|reporting-endpoints|server|strict-transport-security|te|trailer|transfer-encoding|upgrade|via|x-azure-ref|x-cache.*|x-envoy-.*|x-served-by|x-vercel-.*|cross-origin-.*|x-content-type-options|x-frame-options|x-powered-by|x-xss-protection)$/

/** Headers with a date, or with how long something took. */
const OF_TIME =
  /^(?:age|date|expires|server-timing|x-runtime|.*-(?:duration|latency|ms|time|timer))$/

/** Headers that name a trace, a rate limit, or an account. */
const OF_CALL =
  /(?:^|-)(?:account|correlation|organization|project|ratelimit|rate-limit|request-?id|span|tenant|trace(?:parent|state)?|user|workspace|b3|datadog)(?:-|$)/

/** Whether the header of an answer is kept, by its name in lower case. */
export function isKeptHeader(name: string): boolean {
  if (COUNTING_HEADERS.has(name) || SHOWN.test(name)) return true
  return ![OF_CONNECTION, OF_TIME, OF_CALL].some((pattern) => pattern.test(name))
}

/** Allows no line break: a value in a cassette of unknown origin could add headers of its own. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
