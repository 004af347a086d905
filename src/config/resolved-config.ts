import { asksForAllBytes, decideMode } from './decide-mode.ts'
import type { Environment } from './environment.ts'
import type { Mode } from './mode.ts'
import type { CassetteOptions, fillOptions } from './options.ts'
import { REPORT_FOLDER } from './paths.ts'
import { DEFAULTS } from './schema/defaults.ts'

type FilledOptions = ReturnType<typeof fillOptions>

/** Options, defaults and environment in one object. Vitest passes it to its workers. */
export interface ResolvedConfig
  extends Omit<FilledOptions, 'mode' | 'report' | 'maxAge'>, Pick<Environment, 'run'> {
  mode: Mode
  /** The folder of the report that is written at the end of a run; absent where none is. */
  report?: string
  /** In days. */
  maxAge?: number
  /** Writes every byte of a new recording, even of answers whose meaning has not changed. */
  allBytes?: boolean
  /** Records invalid cassettes again. Never on CI with `new`, where nobody would review them. */
  renews: boolean
}

/**
 * Resolves checked options against the environment.
 *
 * @throws CassetteError as {@link decideMode} does.
 */
export function resolveConfig(options: CassetteOptions, environment: Environment): ResolvedConfig {
  const filled = JSON.parse(DEFAULTS) as FilledOptions
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) Object.assign(filled, { [name]: value })
  const { report, maxAge, ...others } = filled
  const mode = decideMode(filled.mode, environment)
  const { ci, run } = environment
  return {
    ...others,
    mode,
    report: report === true ? REPORT_FOLDER : report || undefined,
    maxAge: maxAge === undefined ? undefined : parseFloat(`${maxAge}`),
    run,
    allBytes: asksForAllBytes(environment) || undefined,
    renews: mode === 'all' || (mode === 'new' && !ci),
  }
}
