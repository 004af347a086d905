/** The header by which a request to an app server says which test it is of: the gateway, and whose requests come by it. */
export const VISITOR_HEADER = 'x-vitest-cassette'

/** What an app server is told that loads `visitors.cjs`: the options by which it tells LLM calls, as JSON. */
export const VISITORS_VARIABLE = 'VITEST_CASSETTE_VISITORS'

/** A gateway is on this machine: whoever writes the header must not lead a key elsewhere. */
const GATEWAY = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/[\w-]+$/

/** Reads the header; `undefined` where it names no gateway. */
export function readVisitor(
  value: string | readonly string[] | null | undefined,
): string | undefined {
  const [given] = [value ?? []].flat()
  return given !== undefined && GATEWAY.test(given) ? given : undefined
}
