import type { Cassette } from '../cassette/format/cassette.ts'
import { spellFault } from '../config/fault.ts'
import { countOf } from '../diff/render/count-of.ts'
import { printable } from '../diff/render/printable.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Session } from '../engine/session.ts'
import { describeExchange } from './describe-exchange.ts'

/**
 * The warnings about a recording for the author of its test; `undefined` where there are none.
 *
 * @param leftOut the old exchanges that the recording drops
 */
export function warnOfRecording(
  session: Session,
  cassette: Cassette,
  leftOut: readonly Recorded[],
): string | undefined {
  const warnings = [
    ...warnOfParams(session, cassette),
    ...warnOfFaults(session),
    ...warnOfDropped(session, leftOut),
  ]
  return warnings.length > 0 ? printable(warnings.join('\n')) : undefined
}

/** Warns of parameters that occur nowhere: the value is sent in another form than declared, or not at all. */
function warnOfParams({ params, test }: Session, cassette: Cassette): string[] {
  const nowhere = Object.entries(params.values).filter(
    ([name]) => !Object.hasOwn(cassette.params ?? {}, name),
  )
  if (nowhere.length === 0) return []
  const said = nowhere.map(([name, value]) => `${name} (${JSON.stringify(value)})`).join(', ')
  return [
    `[vitest-cassette] ${test.cassette}: no request or answer of the test "${test.id}" contains ${said}, declared with cassette.params().`,
  ]
}

function warnOfDropped({ test, recorded }: Session, leftOut: readonly Recorded[]): string[] {
  if (leftOut.length === 0) return []
  return [
    `[vitest-cassette] Dropped ${leftOut.length} of ${countOf(recorded.length, 'recorded exchange')} of "${test.id}", which did not ask for them:`,
    ...leftOut.map((entry) => `  ${describeExchange(entry)}`),
  ]
}

function warnOfFaults({ config, test }: Session): string[] {
  if (config.faults.length === 0) return []
  const left = config.faults.map(spellFault).join(', ')
  return [
    `[vitest-cassette] Left out while recording "${test.id}", as faults happen in mode replay alone: ${left}`,
  ]
}
