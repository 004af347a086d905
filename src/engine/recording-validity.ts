import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { ValidityVerdict } from '../validity/strategy.ts'
import type { Found } from './found.ts'

/** Asks every strategy about a cassette. */
export type JudgeValidity = (cassette: Cassette, config: ResolvedConfig) => ValidityVerdict[]

/** Whether the recording of a session is still valid, and what follows where it is not. */
export class Validity {
  /** What each strategy says of the cassette, once something was asked of it. */
  verdicts: ValidityVerdict[] = []
  isInvalid = false
  /** True where the attempt records another in the place of an invalid one. */
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

  /** An answer that is still good to be replayed. What a person wrote is theirs to change. */
  keep(found: Found | undefined): Found | undefined {
    return found && this.renews && isRecorded(found.recorded.exchange) ? undefined : found
  }
}
