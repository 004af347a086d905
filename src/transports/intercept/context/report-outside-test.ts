import { CassetteError, stackLines, withFrames } from '../../../errors.ts'
import type { WireRequest } from '../../../wire/message.ts'
import { providerOf } from '../../../providers/providers.ts'
import { leaveOut } from '../../../text/leave-out.ts'

/**
 * Reports a request that belongs to no test. No test can fail for it, so the run itself fails. Returns the text for
 * the application.
 */
export function reportOutsideTest(
  { method, url }: WireRequest,
  callSite: Error | undefined,
): string {
  const address = new URL(url)
  const wayOut = providerOf(address) === undefined ? `\n${leaveOut(address.host)}` : ''
  const text =
    `${method} ${url} was asked outside of every test that vitest-cassette knows, and is not sent.\n` +
    'The file may have ended before: await the request in the test that starts it. Or a root hook asked. Or the set-up did ' +
    'not run for this file: add the plugin to the config (plugins: [cassettes()]).' +
    wayOut
  const error = new CassetteError('outside-test', text)
  if (callSite) withFrames(error, stackLines(callSite))
  // Unhandled on purpose: Vitest fails the run for it, even where the application swallows the refusal.
  void Promise.reject(error)
  return text
}
