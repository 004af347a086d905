import type { Mode } from '../config/mode.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { CassetteError } from '../errors.ts'
import type { AskedRequest } from './asked.ts'
import type { RareCases } from './rare-cases.ts'
import type { JudgeValidity } from './recording-validity.ts'

/** The services that a session needs from its host. */
export interface SessionOptions {
  test: TestIdentity
  config: ResolvedConfig
  /** Reads the cassette; called at the first request. */
  load(mode: Mode): Cassette | undefined
  /** Loads the features that few attempts use. */
  rare(): RareCases
  /** Called before a call is sent and recorded; returns the reason where it must not be sent. */
  mayAsk?(asked: AskedRequest): CassetteError | undefined
  /** Keeps an answer that has arrived, until the cassette is written. */
  keep?(asked: AskedRequest, isLate: boolean): Promise<void>
  /** Says whether the cassette may still be replayed. */
  judge?: JudgeValidity
  /** The environment. Its values that are no secret here replace their placeholders in a recording. */
  env?: Record<string, string | undefined>
}

/** The test that a session belongs to, as messages show it. */
export interface TestIdentity {
  /** `<test file> > <suite> > <test>`. */
  id: string
  /** The path of the cassette, relative to the working directory. */
  cassette: string
  /** The folder of its images, relative to the working directory. */
  blobs: string
  /** The folder of pictures that nothing answers, relative to the working directory. */
  asked: string
  /** The command that records this test, and no other, again. */
  recordCommand: string
  /** What takes the options of a program's cassette; absent for a test. */
  optionsOf?: 'openCassette' | 'command'
}
