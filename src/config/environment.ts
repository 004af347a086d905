/** A run of Vitest that a command has started. Both tell each other in its folder: see `attempt/run-channel.ts`. */
export interface StartedRun {
  by: 'doctor' | 'import' | 'prune' | 'record'
  folder: string
}

/** The settings of the environment for recording. */
export interface Environment {
  /** `RECORD`, or `undefined` when it is not set. */
  record?: string
  ci: boolean
  /** `RECORD_IN_CI=1`: recording on CI is intended. */
  recordInCi: boolean
  run?: StartedRun
}

/** Set by the commands that start runs, and by nobody else. */
export const STARTED_RUN = 'VITEST_CASSETTE_RUN'

/** The variables for a run that a command starts. */
export function startedBy(by: StartedRun['by'], folder: string): Record<string, string> {
  return { [STARTED_RUN]: `${by} ${folder}` }
}

/** Reads the environment. `CI=false`, `CI=0` and an empty `CI` mean that this is no CI. */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const [, by, folder] = /^(\w+) (.+)$/s.exec(env[STARTED_RUN] ?? '') ?? []
  return {
    record: env.RECORD,
    ci: isOn(env.CI) || isOn(env.GITHUB_ACTIONS),
    recordInCi: isOn(env.RECORD_IN_CI),
    ...(folder ? { run: { by: by as StartedRun['by'], folder } } : {}),
  }
}

/** Whether a variable is set to anything but `0` and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase())
}
