import type { Session } from '../../engine/session.ts'
import { CassetteError } from '../../errors.ts'
import { findIssued } from '../../secrets/find-likely.ts'
import { redactKnown } from '../../secrets/redactor.ts'

/**
 * Refuses to record a test whose titles hold a credential, before it asks: its cassette and the file of its paid
 * answers are named after them.
 *
 * @returns the reason where nothing may be recorded
 */
export function refuseTitle({ test }: Session): CassetteError | undefined {
  const { id } = test
  const redacted = redactKnown(id, process.env)
  const [issued] = findIssued(id)
  if (redacted === id && !issued) return undefined
  const what = issued ? `the rule ${issued.rule}` : /<REDACTED:\w+>/.exec(redacted)?.[0]
  return new CassetteError(
    'secret',
    `Nothing is recorded: the title of this test holds a credential (${what}), and its cassette would be named after it\n` +
      'Take the credential out of the title, such as out of the rows of test.each. Then record it again.',
  )
}
