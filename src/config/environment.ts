/** What the environment says about recording. */
export interface Environment {
  /** `RECORD`, or `undefined` when it is not set. */
  record?: string
  ci: boolean
  /** `RECORD_IN_CI=1`: recording on CI is meant. */
  recordInCi: boolean
  /** The file into which `vitest-cassette doctor` has its run write what it finds. */
  doctor?: string
  /** The file into which `vitest-cassette doctor --twice` has each of its runs write what was asked. */
  doctorAsked?: string
  /** The folder of a run of `vitest-cassette record`: its plan, and what its processes say. */
  recordRun?: string
  /** The folder of a run of `vitest-cassette mutate`: cassettes that stand in for others, and what its tests made of them. */
  mutants?: string
}

/** Set by `vitest-cassette doctor` alone. */
export const DOCTOR = 'VITEST_CASSETTE_DOCTOR'
export const DOCTOR_ASKED = 'VITEST_CASSETTE_DOCTOR_ASKED'

/** Set by `vitest-cassette record` alone. */
export const RECORD_RUN = 'VITEST_CASSETTE_RECORD_RUN'

/** Set by `vitest-cassette mutate` alone. */
export const MUTANTS = 'VITEST_CASSETTE_MUTANTS'

/** Reads the environment. `CI=false`, `CI=0` and an empty `CI` mean that this is no CI. */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  return {
    record: env.RECORD,
    ci: isOn(env.CI) || isOn(env.GITHUB_ACTIONS),
    recordInCi: isOn(env.RECORD_IN_CI),
    ...(env[DOCTOR] ? { doctor: env[DOCTOR] } : {}),
    ...(env[DOCTOR_ASKED] ? { doctorAsked: env[DOCTOR_ASKED] } : {}),
    ...(env[RECORD_RUN] ? { recordRun: env[RECORD_RUN] } : {}),
    ...(env[MUTANTS] ? { mutants: env[MUTANTS] } : {}),
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase())
}
