/** The version of a file in which nothing is recorded. */
export const WRITTEN_VERSION = '1.0'

/** `2.x`; a file without recorded exchanges may say any `1.x`. */
export const FILE_VERSION = /^[12]\.\d+$/

/** The id of an exchange: references end it with `.` or `/`. */
export const EXCHANGE_ID = /^[\w-]+$/

/** The first 22 characters of a canonical, a raw and a response hash. Each may be unknown. */
export const HASHES = /^(?:[\w-]{22})?\.(?:[\w-]{22})?\.(?:[\w-]{22})?$/

/** A sha256 in base64url. */
export const SEAL = /^[\w-]{43}$/

/** The members of a request or a response that are its body. */
export const BODIES: readonly string[] = [
  'body',
  'text',
  'base64',
  'file',
  'form',
  'lines',
  'frames',
  'events',
]

/** Whether a request or a response has one body at most. */
export function hasOneBody(message: object): boolean {
  let count = 0
  for (const name of BODIES) if (name in message) count++
  return count <= 1
}

/** Whether a response has a body only if its status lets it have one. */
export function isBodyless(sent: { status: number; cut?: unknown }): boolean {
  const isWithout = WITHOUT_BODY.includes(sent.status)
  return !isWithout || (sent.cut === undefined && BODIES.every((name) => !(name in sent)))
}

/** A token of HTTP: methods are names that anybody may add to, in any case. */
export const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

/** Statuses of answers that have no body. */
export const WITHOUT_BODY: readonly number[] = [204, 205, 304]

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

/** True for a response that was recorded, or that a person wrote something into. */
export function answersSomething(
  response: Parameters<typeof saysSomething>[0] & { sent?: unknown },
): boolean {
  return response.sent !== undefined || saysSomething(response)
}
