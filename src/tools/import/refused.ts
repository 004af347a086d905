import type { ForeignFile } from './foreign.ts'
import { dataIn, firstOf, hasFields, jsonIn } from './look.ts'

const YAML_KEYS = /^(?:interactions|messages):/m

/** Traces that are not read: what each of them is, what to do, and the fields that only it has at its beginning. */
const TRACES: ReadonlyArray<[what: string, instead: string, fields: readonly string[]]> = [
  ['a trace of W&B Weave', 'send it to a collector that writes OTLP', ['op_name', 'started_at']],
  [
    'a trace of Datadog LLM Observability',
    'set OTEL_TRACES_EXPORTER=otlp for the same run',
    ['ml_app', 'span_id', 'meta'],
  ],
  [
    'a trace in the format of Zipkin',
    'let the collector write OTLP, by its file exporter',
    ['traceId', 'localEndpoint'],
  ],
  [
    'an export of Helicone',
    'import the traces of the application, or record the calls',
    ['request_body', 'response_body'],
  ],
  [
    'an export of Opik',
    'send the spans to a collector that writes OTLP, too',
    ['trace_id', 'last_updated_at', 'project_id', 'created_by'],
  ],
]

/**
 * Files that look like recordings, and hold nothing that goes over HTTP as it stands there: what they are, for people, and
 * why nothing becomes of them.
 */
export const REFUSED: ReadonlyArray<{ reason: string; is(file: ForeignFile): boolean }> = [
  ...TRACES.map(([what, instead, fields]) => ({
    reason: `it is ${what}, which is not read: ${instead}`,
    is: ({ head }: ForeignFile): boolean => fields.every((name) => head.includes(`"${name}"`)),
  })),
  {
    reason: 'it is a cassette of this package already: move it there, or `vitest-cassette move`',
    is: (file) => {
      const data = jsonIn(file)
      return hasFields(data) && 'version' in data && Array.isArray(data.exchanges)
    },
  },
  {
    reason:
      'it is an archive, such as Playwright writes for recordHar({ path: "a.zip" }): unpack it, and name the folder:\n' +
      '  unzip a.zip -d a && npx vitest-cassette import a',
    is: ({ head }) => head.startsWith('PK\u0003\u0004'),
  },
  {
    reason:
      'it is what the Claude Agent SDK says to its process, over pipes and not over HTTP: record the calls of that process instead',
    is: (file) => {
      const data = dataIn(file, YAML_KEYS)
      if (!hasFields(data) || !Array.isArray(data.messages) || 'models' in data) return false
      return data.messages.some((message) => hasFields(message) && isOfPipe(message))
    },
  },
  {
    reason: 'it holds calls of gRPC, which no client of HTTP can be answered with',
    is: (file) => {
      const data = dataIn(file, YAML_KEYS)
      return hasFields(data) && firstOf(data.interactions)?.request_sample !== undefined
    },
  },
  {
    reason: "it holds exchanges of Go's httprr as they went over the wire, which are not read",
    is: ({ head }) => head.startsWith('httprr trace v'),
  },
  {
    reason: 'it holds stubs of WireMock, which are not read',
    is: (file) => {
      const data = jsonIn(file)
      const stub = hasFields(data) && Array.isArray(data.mappings) ? firstOf(data.mappings) : data
      return (
        hasFields(stub) &&
        hasFields(stub.request) &&
        hasFields(stub.response) &&
        isStub(stub.request, stub.response)
      )
    },
  },
]

function isOfPipe({ type, response, request_id: id }: Record<string, unknown>): boolean {
  const isControl = hasFields(response) && 'request_id' in response
  return (
    isControl || id !== undefined || /^(?:control_|stream_event|system$|result$)/.test(String(type))
  )
}

function isStub(request: Record<string, unknown>, response: Record<string, unknown>): boolean {
  const isByRule = ['urlPath', 'urlPattern', 'urlPathPattern', 'bodyPatterns'].some(
    (name) => name in request,
  )
  return isByRule || ['jsonBody', 'bodyFileName', 'base64Body'].some((name) => name in response)
}
