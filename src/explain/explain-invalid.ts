import { printable } from '../text/printable.ts'
import type { Explanation } from './explain-miss.ts'
import { labelTest, paint } from './labelled.ts'
import type { Session } from '../engine/session.ts'
import { tookOf } from './ways-out.ts'

/** Explains the failure of a test whose requests were all answered from a recording that is no longer valid. */
export function explainInvalid(session: Session): Explanation {
  const { test, validity } = session
  const invalid = validity.verdicts.filter(({ valid }) => !valid)
  const [{ strategy, reason }] = invalid as [(typeof invalid)[number]]
  const others = invalid.length > 1 ? `, and ${invalid.length - 1} more` : ''
  const said = validity.verdicts.map((verdict) => {
    const mark = verdict.valid ? paint.green('✓') : paint.red('×')
    return `  ${mark} ${verdict.strategy}: ${printable(verdict.reason)}`
  })
  const isMarked = invalid.some((verdict) => verdict.strategy === 'mark')
  const lasts = invalid.some((verdict) => verdict.lasts)
  const undo = `npx vitest-cassette invalidate --undo ${test.cassette}`
  const headline = printable(`The recording is no longer valid: ${strategy}: ${reason}${others}`)
  const advice = [
    `${howToRecord('it', lasts)}:\n  ${paint.bold(test.recordCommand)}`,
    ...(isMarked ? [`Or, if it is valid after all:\n  ${paint.bold(undo)}`] : []),
  ].join('\n')
  return {
    headline,
    details: [...labelTest(test), '', ...said, '', advice].join('\n'),
    cause: {
      key: ['invalid', ...invalid.map((verdict) => verdict.strategy)].join(' '),
      headline,
      advice,
      lasts,
      keeps: false,
      took: tookOf(session.recorded, session),
    },
  }
}

/** The remedy for an invalid recording. If the objection lasts, a new recording of the same model is invalid too. */
export function howToRecord(what: 'it' | 'them', lasts: boolean): string {
  return lasts ? `Ask another model in your code, and record ${what} again` : `Record ${what} again`
}
