import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { ValidityVerdict } from '../validity/judge-validity.ts'
import type { Found } from './found.ts'

/** Asks every strategy about a cassette. */
export type JudgeValidity = (cassette: Cassette, config: ResolvedConfig) => ValidityVerdict[]

/** Whether the recording of a session is still valid, and whether the attempt replaces it. */
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
    const settles = this.verdicts.some(({ valid, lasts }) => !valid && !lasts)
    this.renews = config.renews && (config.mode === 'all' ? this.isInvalid : settles)
  }

  /**
   * The objections to the cassette after the attempt.
   *
   * @param saved what the attempt recorded, if it is saved
   * @param renewed whether `saved` replaces every answer: if not, the age of the old ones still counts
   */
  objections(
    saved: Cassette | undefined,
    renewed: boolean,
    config: ResolvedConfig,
  ): ValidityVerdict[] {
    const fresh = saved ? this.#judge(saved, config) : this.verdicts
    const old = renewed ? fresh : this.verdicts
    const verdicts = [...old.filter(({ lasts }) => !lasts), ...fresh.filter(({ lasts }) => lasts)]
    return verdicts.filter(({ valid }) => !valid)
  }

  /** The exchange, unless the attempt records it again. Only authors change hand-written exchanges. */
  unlessRenewed(found: Found | undefined): Found | undefined {
    return found && this.renews && isRecorded(found.recorded.exchange) ? undefined : found
  }
}
