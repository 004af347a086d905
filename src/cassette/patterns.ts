/** The form of the hash of a request, and of earlier releases. */
export const HASH = /^(?:[\w-]{22}|sha256-[0-9a-f]{64})$/

/** See `hashAnswer`. */
export const ANSWER_HASH = /^sha256-[0-9a-f]{32}$/

/** See `hashFile`. */
export const FILE_HASH = /^sha256-[0-9a-f]{32}-[0-9a-f]{32}$/

/** The version of a file in which nothing is recorded. */
export const WRITTEN_VERSION = '1.0'

/** The `x` of the first version `1.x` that holds recorded exchanges. */
export const FIRST_RECORDED = 3

export const VERSION = /^1\.\d+$/

/** A token of HTTP: methods are names that anybody may add to, in any case. */
export const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

/** Allows no line break: a value in a cassette of unknown origin could add headers of its own. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Statuses of answers that have no body. */
export const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** True where an answer has a body only if its status lets it have one. */
export function hasBodyOnlyWhereItMay({
  status,
  body,
  cut,
}: {
  status: number
  body?: unknown
  cut?: boolean
}): boolean {
  return !WITHOUT_BODY.includes(status) || (body === undefined && !cut)
}

/** True for a response that a person wrote something into. */
export function saysSomething({
  text,
  tool_calls: calls,
  error,
}: {
  text?: unknown
  tool_calls?: unknown
  error?: unknown
}): boolean {
  return (text ?? calls ?? error) !== undefined
}
