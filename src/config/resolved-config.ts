import { asksForAllBytes, decideMode } from './decide-mode.ts'
import type { Mode } from './mode.ts'
import type { Environment } from './environment.ts'
import type { CassetteOptions } from './options.ts'
import { CASSETTE_FOLDER, REPORT_FOLDER } from './paths.ts'

/** The options without a default, or that are read differently once the environment is known. */
type Apart = 'mode' | 'strategy' | 'report' | 'maxAge' | 'maxFailures' | 'whyInvalid'

/** Options, defaults and environment in one object. Vitest passes it to its workers. */
export interface ResolvedConfig
  extends
    Required<Omit<CassetteOptions, Apart>>,
    Pick<CassetteOptions, 'maxFailures' | 'whyInvalid'>,
    Pick<Environment, 'run'> {
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
  const mode = decideMode(options.mode, environment)
  const { ci, run } = environment
  return {
    mode,
    dir: options.dir ?? CASSETTE_FOLDER,
    hosts: options.hosts ?? [],
    allowHosts: options.allowHosts ?? [],
    network: options.network ?? 'open',
    mcp: options.mcp ?? [],
    keys: options.keys ?? true,
    unused: options.unused ?? 'fail',
    orphans: options.orphans ?? 'fail',
    compileCache: options.compileCache ?? true,
    ...(options.report ? { report: options.report === true ? REPORT_FOLDER : options.report } : {}),
    recordErrors: options.recordErrors ?? false,
    maxCassetteBytes: options.maxCassetteBytes ?? 32 * 1024 * 1024,
    followLinks: options.followLinks ?? false,
    volatile: options.volatile ?? [],
    redact: options.redact ?? [],
    repeats: options.repeats ?? 'strict',
    images: options.images ?? { match: 'exact' },
    unordered: options.unordered ?? true,
    faults: options.faults ?? [],
    pace: options.pace ?? 'instant',
    prices: options.prices ?? {},
    params: options.params ?? { strategy: 'preset' },
    speakers: options.speakers ?? [],
    ...(run ? { run } : {}),
    maxAge: options.maxAge === undefined ? undefined : parseFloat(`${options.maxAge}`),
    maxFailures: options.maxFailures,
    retiredModels: options.retiredModels ?? [],
    whyInvalid: options.whyInvalid,
    invalid: options.invalid ?? 'warn',
    ...(asksForAllBytes(environment) ? { allBytes: true } : {}),
    renews: mode === 'all' || (mode === 'new' && !ci),
  }
}
