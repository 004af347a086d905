import { asksForAllBytes, decideMode, type Mode } from './mode.ts'
import type { Environment } from './environment.ts'
import type { Fault } from './fault.ts'
import type { ImageOptions } from './image-options.ts'
import type { ParamsStrategy } from './params-strategy.ts'
import type { Price } from './price.ts'
import type { RedactRule } from './redact-rule.ts'
import type { VolatileRule } from './volatile-rule.ts'
import type { SpeakerOption } from './speaker-option.ts'
import type { WhyInvalid } from './why-invalid.ts'
import type { CassetteOptions } from './options.ts'
import { CASSETTE_FOLDER, REPORT_FOLDER } from './folders.ts'

/** Options, defaults and environment in one object. Vitest passes it to its workers. */
export interface ResolvedConfig {
  mode: Mode
  dir: string
  hosts: string[]
  allowHosts: string[]
  mcp: string[]
  keys: boolean
  unused: 'fail' | 'warn'
  orphans: 'fail' | 'warn'
  /** The folder of the report that is written at the end of a run; absent where none is. */
  report?: string
  recordErrors: boolean
  maxCassetteBytes: number
  volatile: VolatileRule[]
  redact: RedactRule[]
  images: ImageOptions
  repeats: 'strict' | 'last' | 'cycle'
  unordered: boolean
  faults: Fault[]
  prices: Record<string, Price>
  params: ParamsStrategy
  speakers: readonly SpeakerOption[]
  /** See {@link Environment.doctor}. */
  doctor?: string
  /** See {@link Environment.doctorAsked}. */
  doctorAsked?: string
  /** See {@link Environment.recordRun}. */
  recordRun?: string
  /** See {@link Environment.mutants}. */
  mutants?: string
  /** In days. */
  maxAge?: number
  maxFailures?: number
  retiredModels: string[]
  whyInvalid?: WhyInvalid
  invalid: 'fail' | 'warn'
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
  return {
    mode,
    dir: options.dir ?? CASSETTE_FOLDER,
    hosts: options.hosts ?? [],
    allowHosts: options.allowHosts ?? [],
    mcp: options.mcp ?? [],
    keys: options.keys ?? true,
    unused: options.unused ?? 'fail',
    orphans: options.orphans ?? 'fail',
    ...(options.report ? { report: folderOfReport(options.report) } : {}),
    recordErrors: options.recordErrors ?? false,
    maxCassetteBytes: options.maxCassetteBytes ?? 32 * 1024 * 1024,
    volatile: options.volatile ?? [],
    redact: options.redact ?? [],
    repeats: options.repeats ?? 'strict',
    images: options.images ?? { match: 'exact' },
    unordered: options.unordered ?? true,
    faults: options.faults ?? [],
    prices: options.prices ?? {},
    params: options.params ?? { strategy: 'preset' },
    speakers: options.speakers ?? [],
    ...(environment.doctor ? { doctor: environment.doctor } : {}),
    ...(environment.doctorAsked ? { doctorAsked: environment.doctorAsked } : {}),
    ...(environment.recordRun ? { recordRun: environment.recordRun } : {}),
    ...(environment.mutants ? { mutants: environment.mutants } : {}),
    maxAge: options.maxAge === undefined ? undefined : parseFloat(`${options.maxAge}`),
    maxFailures: options.maxFailures,
    retiredModels: options.retiredModels ?? [],
    whyInvalid: options.whyInvalid,
    invalid: options.invalid ?? 'warn',
    ...(asksForAllBytes(environment) ? { allBytes: true } : {}),
    renews: mode === 'all' || (mode === 'new' && !environment.ci),
  }
}

function folderOfReport(report: true | string): string {
  return report === true ? REPORT_FOLDER : report
}
