import { whyUnwritten } from '../cassette/store.ts'
import { CassetteError } from '../errors.ts'
import { inColors, LEFT, labelTest, labelled, paint } from './labelled.ts'
import type { Failure } from './judge-attempt.ts'
import type { TestIdentity } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'

/**
 * Explains that a recording could not be written.
 *
 * @param kept the path of its answers; `undefined` where they could not be kept either
 */
export function explainUnwritten(
  { test }: Session,
  error: Error,
  kept: string | undefined,
  color: boolean,
): Failure {
  const [what, wayOut] = whyUnwritten(error)
  const advice =
    kept === undefined
      ? [
          `The folder node_modules/.cache could not be written either, so the answers are lost. ${wayOut}, and record the test again:`,
          `  ${paint.bold(test.recordCommand)}`,
        ]
      : [
          `${wayOut}, and bring the answers back without asking for them again:`,
          `  ${paint.bold('npx vitest-cassette recover')}`,
        ]
  const told: Failure = {
    code: 'unwritten',
    headline: `The cassette could not be written: ${what}`,
    details: [
      ...labelTest(test, LEFT),
      ...(CassetteError.isInstance(error) ? [] : [labelled('error', error.message)]),
      ...(kept === undefined ? [] : [labelled('kept in', kept)]),
      '',
      ...advice,
    ].join('\n'),
  }
  return inColors(told, color)
}

/** Explains that a recording is too large to be read again. */
export function explainTooLarge(test: TestIdentity, why: string, color: boolean): Failure {
  return {
    code: 'unwritten',
    headline: `${test.cassette} was written, but no replay will read it: ${why}`,
    details: [
      ...labelTest(test, '', color),
      '',
      'Raise the option maxCassetteBytes, or ask for less in this test.',
    ].join('\n'),
  }
}
