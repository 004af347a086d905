import pc from 'picocolors'
import { CassetteError } from '../errors.ts'
import { labelled } from './labelled.ts'
import type { Failure } from './judge.ts'
import type { Session } from './session.ts'

/** What the codes of the file system mean, and what to do about each. */
const REASONS: Record<string, [what: string, wayOut: string]> = {
  ENOSPC: ['the disk is full', 'Make room'],
  EDQUOT: ['the quota of the disk is used up', 'Make room'],
  EROFS: ['its folder is read-only', 'Make the folder writable'],
  EACCES: ['this user may not write its folder', 'Make the folder writable'],
  EPERM: ['this user may not write its folder', 'Make the folder writable'],
}

/**
 * Explains that a recording could not be written.
 *
 * @param kept where its answers are; `undefined` where they could not be kept either
 */
export function explainUnwritten(
  { test }: Session,
  error: Error,
  kept: string | undefined,
  color: boolean,
): Failure {
  const { code = '' } = error as NodeJS.ErrnoException
  const [what, wayOut] = REASONS[code] ?? [error.message.split('\n')[0]!, 'Settle that']
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
      labelled('test', test.id, color),
      labelled('cassette', `${test.cassette} (left as it was)`, color),
      ...(CassetteError.isInstance(error) ? [] : [labelled('error', error.message, color)]),
      ...(kept === undefined ? [] : [labelled('kept in', kept, color)]),
      '',
      ...advice,
    ].join('\n'),
  }
}
