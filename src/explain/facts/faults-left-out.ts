import { spellFault } from '../../config/fault.ts'
import type { Session } from '../../engine/session.ts'

/** The faults of a test that could not happen, since its answers were kept as they came. */
export function faultsLeftOut({ config, faults, asked }: Session): string {
  return faults || asked.length === 0 ? '' : config.faults.map(spellFault).join(', ')
}
