import { printable } from '../diff/render/printable.ts'
import { explainMiss } from './explain.ts'
import type { Failure } from './judge-attempt.ts'
import { labelled } from './labelled.ts'
import type { LateRequest } from '../engine/late-requests.ts'
import type { Session } from '../engine/session.ts'

/** Explains a refusal that came after the verdict of its test. */
export function explainLate(
  session: Session,
  { miss, error }: Pick<LateRequest, 'miss' | 'error'>,
  color: boolean,
): Failure {
  if (miss) return { code: 'miss', ...explainMiss(session, miss, color), callSite: miss.callSite }
  const [said, ...rest] = printable(error!.message).split('\n')
  return {
    code: error!.code,
    callSite: error,
    headline: `Asked when the test "${printable(session.test.id)}" had ended: ${said}`,
    details: [labelled('test', printable(session.test.id), color), '', ...rest].join('\n'),
  }
}
