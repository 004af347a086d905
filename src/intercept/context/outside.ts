import { CassetteError } from '../../errors.ts'
import type { WireRequest } from '../../wire/message.ts'

/**
 * Reports a request that belongs to no test: nothing may answer it and no test can fail for it, so
 * the run itself fails. Returns the text for the application.
 */
export function reportOutside({ method, url }: WireRequest, callSite: Error | undefined): string {
  const text =
    `${method} ${url} was asked outside of every test that vitest-cassette knows, and is not sent.\n` +
    'Either the set-up ran for another file only: with `isolate: false`, name the set-up in the config ' +
    "(plugins: [cassettes()] or setupFiles: ['vitest-cassette/setup']) instead of importing it.\n" +
    'Or the request was made after the file had ended: await it in the test that starts it.'
  const error = new CassetteError('outside-test', text)
  if (callSite?.stack)
    error.stack = `${error.name}: ${text}\n${callSite.stack.split('\n').slice(1).join('\n')}`
  // Unhandled on purpose: Vitest fails the run for it, even where the application swallows the refusal.
  void Promise.reject(error)
  return text
}
