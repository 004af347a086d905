import { PictureComparer } from '../../pictures/compare-pictures.ts'
import type { RareCases } from '../rare-cases.ts'
import { dialectFor, promptFor } from '../reading/read-prompt.ts'
import { DeclaredFaults } from './faults.ts'
import { findUndeclared } from './find-undeclared.ts'
import { keepAnswer } from './keep-answer.ts'
import { cassetteOrLive } from './cassette-or-live.ts'
import { findFailed, leaveOvercome } from './overcome.ts'
import { canBeWritten, isMeantFor, writtenAnswer } from './hand-written.ts'

/** Features that few attempts use. They load together on first use. */
export const rareCases: RareCases = {
  isMeantFor,
  canBeWritten,
  writtenAnswer,
  cassetteOrLive,
  keepAnswer,
  findUndeclared,
  findFailed,
  leaveOvercome,
  openFaults: (declared) => new DeclaredFaults(declared),
  openPictures: (options) =>
    new PictureComparer(options, (incoming) => ({
      prompt: promptFor(incoming),
      dialect: dialectFor(incoming),
    })),
}
