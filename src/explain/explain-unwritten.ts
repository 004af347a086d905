import pc from 'picocolors'
import { whyUnwritten } from '../cassette/store.ts'
import { CassetteError } from '../errors.ts'
import { LEFT, labelTest, labelled } from './labelled.ts'
import type { Failure } from './judge-attempt.ts'
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
  const { bold } = pc.createColors(color)
  const advice =
    kept === undefined
      ? [
          `The folder node_modules/.cache could not be written either, so the answers are lost. ${wayOut}, and record the test again:`,
          `  ${bold(test.recordCommand)}`,
        ]
      : [
          `${wayOut}, and bring the answers back without asking for them again:`,
          `  ${bold('npx vitest-cassette recover')}`,
        ]
  return {
    code: 'unwritten',
    headline: `The cassette could not be written: ${what}`,
    details: [
      ...labelTest(test, color, LEFT),
      ...(CassetteError.isInstance(error) ? [] : [labelled('error', error.message, color)]),
      ...(kept === undefined ? [] : [labelled('kept in', kept, color)]),
      '',
      ...advice,
    ].join('\n'),
  }
}
