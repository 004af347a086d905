import type { Cassette } from '../cassette/format/cassette.ts'
import { spellFault } from '../config/fault.ts'
import { printable } from '../diff/render/printable.ts'
import type { Session } from '../engine/session.ts'

/** What the author of a test should know of its recording; `undefined` where there is nothing. */
export function warnOfRecording(session: Session, cassette: Cassette): string | undefined {
  const warnings = [...warnOfParams(session, cassette), ...warnOfFaults(session)]
  return warnings.length > 0 ? printable(warnings.join('\n')) : undefined
}

/** A value that stands nowhere was built or sent otherwise than declared, or is declared for nothing. */
function warnOfParams({ params, test }: Session, cassette: Cassette): string[] {
  const nowhere = Object.entries(params.values).filter(
    ([name]) => !Object.hasOwn(cassette.params ?? {}, name),
  )
  if (nowhere.length === 0) return []
  const said = nowhere.map(([name, value]) => `${name} (${JSON.stringify(value)})`).join(', ')
  return [
    `[vitest-cassette] ${test.cassette}: what the test "${test.id}" asked and got holds no ${said}, declared with cassette.params().`,
  ]
}

function warnOfFaults({ config, test }: Session): string[] {
  if (config.faults.length === 0) return []
  const left = config.faults.map(spellFault).join(', ')
  return [
    `[vitest-cassette] Left out while recording "${test.id}", as faults happen in mode replay alone: ${left}`,
  ]
}
