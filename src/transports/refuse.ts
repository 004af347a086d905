import { CassetteError } from '../errors.ts'
import { isErrorText } from '../providers/provider-paths.ts'
import { safe } from '../secrets/notes.ts'

/** The first words of every refusal. They identify errors that SDKs make from one. */
export const REFUSAL_MARK = '[vitest-cassette]'

/** Headers that keep SDKs from retrying. */
export const REFUSAL_HEADERS = {
  'x-should-retry': 'false',
  'x-amzn-errortype': 'ValidationException',
  // The system is not in the state that the call needs.
  'grpc-status': '9',
}

/**
 * The one answer that no SDK retries: a 400 with a header against retries, and a body in which every client finds the
 * message. SDKs retry network errors and 5xx for seconds.
 *
 * @param world has the class of responses that the client takes: a page has its own
 */
export function refuse(
  url: string,
  text: string,
  world: Pick<typeof globalThis, 'Response'>,
): Response {
  const [line = ''] = text.split('\n')
  const headers = {
    ...REFUSAL_HEADERS,
    'grpc-message': encodeURIComponent(`${REFUSAL_MARK} ${line.toWellFormed()}`),
  }
  return world.Response.json(refusalBody(url, text), { status: 400, headers })
}

/** The body of a refusal, for clients that get no response of fetch. */
export function refusalBody(url: string, text: string): object {
  const message = `${REFUSAL_MARK} ${text}`
  const error = {
    message,
    type: 'invalid_request_error',
    code: 400,
    status: 'INVALID_ARGUMENT',
    param: null,
  }
  return isErrorText(new URL(url)) ? { error: message } : { type: 'error', error, message }
}

/** True for an error that an application or SDK made from a refusal, however it wrapped it. */
function comesFromRefusal(error: unknown): boolean {
  for (let current = error, depth = 0; current && depth < 10; depth++) {
    const { message, stack, cause } = current as Partial<Error>
    if (message?.includes(REFUSAL_MARK) || stack?.includes(REFUSAL_MARK)) return true
    current = cause
  }
  return false
}

/** The most consequences that a failure shows. */
const MAX_CONSEQUENCES = 3

/**
 * Takes the errors of a test out of their list, and returns those to show as consequences of its failure. Errors that
 * an application or SDK made from our refusal are dropped, and so are our own, which the failure shows already.
 */
export function takeConsequences<Consequence>(errors: Consequence[]): Consequence[] {
  return errors
    .splice(0)
    .filter((error) => !comesFromRefusal(error) && !CassetteError.isInstance(error))
    .slice(0, MAX_CONSEQUENCES)
}

/** The text of a failure, with a line for each consequence, without the keys that an application quotes. */
export function withConsequences(text: string, lines: readonly string[]): string {
  return [text, ...lines.map((line) => `Then the test failed with: ${safe(line)}`)].join('\n\n')
}
