import type { RareCases } from '../engine/rare-cases.ts'
import { loadLater } from '../real/load-later.ts'
import { findFailed, leaveOvercome } from './overcome.ts'

/** Loads what few tests need. */
export const loadRare: () => typeof import('./all-rare-cases.ts') = loadLater(
  './rare-cases.mjs',
  () => import('./all-rare-cases.ts'),
)

/** The rare cases, of which a plain recording needs these two: all others load with the first that is asked for. */
export const laterCases: RareCases = {
  findFailed,
  leaveOvercome,
  get isMeantFor() {
    return loadRare().rareCases.isMeantFor
  },
  get canBeWritten() {
    return loadRare().rareCases.canBeWritten
  },
  get writtenAnswer() {
    return loadRare().rareCases.writtenAnswer
  },
  get cassetteOrLive() {
    return loadRare().rareCases.cassetteOrLive
  },
  get keepAnswer() {
    return loadRare().rareCases.keepAnswer
  },
  get findUndeclared() {
    return loadRare().rareCases.findUndeclared
  },
  get showValues() {
    return loadRare().rareCases.showValues
  },
  get openFaults() {
    return loadRare().rareCases.openFaults
  },
  get openPictures() {
    return loadRare().rareCases.openPictures
  },
}
