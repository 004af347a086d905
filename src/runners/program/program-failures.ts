// What a program loads that fails, or that says how it is recorded.
import { CassetteError, stackLines, withFrames } from '../../errors.ts'
import type { ReportedFailure } from '../../explain/failure.ts'
import { RECORD_COMMAND, recording } from '../../text/command-line.ts'
import { closeRequest, type OpenRequest } from '../../transports/open-requests.ts'
import { processCommand } from '../process-command.ts'

/** The error of a program whose cassette failed. Its stack is that of the request. */
export function errorOfProgram({
  code,
  headline,
  details,
  callSite,
}: ReportedFailure): CassetteError {
  // A program that fails sends fewer requests, and `finally { await cassette.close() }` hides its error.
  const hint =
    code === 'unused'
      ? '\n\nThe program may have failed before it asked. Where close() stands in a finally, that error is hidden by this one: `await using cassette = openCassette(…)` keeps both.'
      : ''
  const error = new CassetteError(code, `${headline}\n${details}${hint}`)
  return callSite ? withFrames(error, stackLines(callSite)) : error
}

/** Prints the two errors of a program and its cassette with which it ends, since Node prints neither. */
export function printBoth(
  uncaught: Error & { error?: unknown; suppressed?: unknown },
  own: CassetteError,
): void {
  if (uncaught.error !== own) return
  console.error('The program failed:', uncaught.suppressed)
  if (own.code !== 'miss') console.error(`${own.name}: ${own.message}`)
}

/** Gives open requests up, since interception ends: they would reach the provider. */
export function giveUp(unsent: readonly OpenRequest[]): void {
  for (const request of unsent) {
    const text = `${request.address} was begun before close() and is not sent. Await it before the cassette is closed.`
    console.warn(`[vitest-cassette] ${text}`)
    request.giveUp?.(new CassetteError('refused', text))
    closeRequest(request)
  }
}

export function alreadyOpen(): CassetteError {
  return new CassetteError(
    'invalid-option',
    'openCassette() was called where a cassette is open: close that one first. In tests with the set-up of ' +
      'vitest-cassette each test has a cassette of its own, and useCassette() gives it options.',
  )
}

/** The command of this process, in recording mode. */
export function ownCommand(argv: readonly string[], from?: string): string {
  const { runner, command = 'node' } = processCommand(argv, from) ?? {}
  if (runner === 'vitest') return RECORD_COMMAND
  // Also because mocha leaves out of an error what names a file of its own.
  return recording(runner === undefined ? command : `npx ${runner}`)
}
