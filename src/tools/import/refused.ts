import type { ForeignFile } from './foreign.ts'
import { dataIn, firstOf, hasFields, jsonIn } from './look.ts'

/** Files that look like recordings, and hold nothing that goes over HTTP as it stands there. */
interface Refused {
  /** What they are, for people, and why nothing becomes of them. */
  reason: string
  is(file: ForeignFile): boolean
}

const YAML_KEYS = /^(?:interactions|messages):/m

export const REFUSED: readonly Refused[] = [
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
