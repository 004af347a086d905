/**
 * The header by which a request to an app server names its test: the address of the gateway, with the token of the
 * test.
 */
export const VISITOR_HEADER = 'x-vitest-cassette'

/** The variable with the options by which an app server recognises LLM calls, as JSON. `visitors.cjs` reads it. */
export const VISITORS_VARIABLE = 'VITEST_CASSETTE_VISITORS'

/** A gateway is on this machine. A forged header must not send a key elsewhere. */
const GATEWAY = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/[\w-]+$/

/** Reads the header; `undefined` where it names no gateway. */
export function readVisitor(
  value: string | readonly string[] | null | undefined,
): string | undefined {
  const [given] = [value ?? []].flat()
  return given !== undefined && GATEWAY.test(given) ? given : undefined
}
