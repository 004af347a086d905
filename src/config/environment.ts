/** The files and folders by which a run tells the command that started it what happened. */
export interface RunFiles {
  /** The file into which a run of `vitest-cassette doctor` writes its findings. */
  doctor?: string
  /** The file into which each run of `vitest-cassette doctor --twice` writes its requests. */
  doctorAsked?: string
  /** The folder of a run that a command started: its plan, the reports of its processes, and cassettes that stand in. */
  recordRun?: string
}

/** The settings of the environment for recording. */
export interface Environment extends RunFiles {
  /** `RECORD`, or `undefined` when it is not set. */
  record?: string
  ci: boolean
  /** `RECORD_IN_CI=1`: recording on CI is intended. */
  recordInCi: boolean
}

/** Set by `vitest-cassette doctor` alone. */
export const DOCTOR = 'VITEST_CASSETTE_DOCTOR'
export const DOCTOR_ASKED = 'VITEST_CASSETTE_DOCTOR_ASKED'

/** Set by commands that run tests and hear of them: see `attempt/run-channel.ts`. */
export const RECORD_RUN = 'VITEST_CASSETTE_RECORD_RUN'

/** Set by `vitest-cassette prune` alone: the file into which a run writes its `OrphanReport`. */
export const ORPHAN_REPORT = 'VITEST_CASSETTE_ORPHANS'

/** Reads the environment. `CI=false`, `CI=0` and an empty `CI` mean that this is no CI. */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  return {
    record: env.RECORD,
    ci: isOn(env.CI) || isOn(env.GITHUB_ACTIONS),
    recordInCi: isOn(env.RECORD_IN_CI),
    ...(env[DOCTOR] ? { doctor: env[DOCTOR] } : {}),
    ...(env[DOCTOR_ASKED] ? { doctorAsked: env[DOCTOR_ASKED] } : {}),
    ...(env[RECORD_RUN] ? { recordRun: env[RECORD_RUN] } : {}),
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase())
}
