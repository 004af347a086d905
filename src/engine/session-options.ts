import type { Mode } from '../config/mode.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { CassetteError } from '../errors.ts'
import type { Asked } from './asked.ts'
import type { RareCases } from './rare-cases.ts'
import type { JudgeValidity } from './recording-validity.ts'

/** What a session needs from its host. */
export interface SessionOptions {
  test: TestIdentity
  config: ResolvedConfig
  /** Reads the cassette; called at the first request. */
  load(mode: Mode): Cassette | undefined
  /** Loads what few attempts need. */
  rare(): RareCases
  /** Asked before a call is sent that is recorded; gives why it is not. */
  mayAsk?(asked: Asked): CassetteError | undefined
  /** Keeps an answer that has arrived, until the cassette is written. */
  keep?(asked: Asked, isLate: boolean): Promise<void>
  /** Says whether the cassette may still be replayed. */
  judge?: JudgeValidity
  /** Values that are no secret here are put back where a recording has them redacted. */
  env?: Record<string, string | undefined>
}

/** The test that a session belongs to, as messages show it. */
export interface TestIdentity {
  /** `<test file> > <suite> > <test>`. */
  id: string
  /** The path of the cassette, from where the user stands. */
  cassette: string
  /** The folder of its images, from where the user stands. */
  blobs: string
  /** The folder of pictures that nothing answers, from where the user stands. */
  asked: string
  /** The command that records this test, and no other, again. */
  recordCommand: string
}
