import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { ValidityVerdict } from '../validity/strategy.ts'
import type { Found } from './found.ts'

/** Asks every strategy about a cassette. */
export type JudgeValidity = (cassette: Cassette, config: ResolvedConfig) => ValidityVerdict[]

/** Whether the recording of a session is still valid, and what follows where it is not. */
export class Validity {
  /** The verdict of each strategy about the cassette, once it is loaded. */
  verdicts: ValidityVerdict[] = []
  isInvalid = false
  /** True where the attempt replaces an invalid recording by a new one. */
  renews = false
  readonly #judge: JudgeValidity

  constructor(judge: JudgeValidity = () => []) {
    this.#judge = judge
  }

  /** Asks the strategies about a cassette. */
  read(cassette: Cassette | undefined, config: ResolvedConfig): void {
    this.verdicts = cassette ? this.#judge(cassette, config) : []
    this.isInvalid = this.verdicts.some(({ valid }) => !valid)
    this.renews = this.isInvalid && config.renews
  }

  /** The exchange, unless it is to be recorded again. Hand-written exchanges are only changed by their authors. */
  keep(found: Found | undefined): Found | undefined {
    return found && this.renews && isRecorded(found.recorded.exchange) ? undefined : found
  }
}
