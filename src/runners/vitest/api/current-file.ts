import type { TestRunner } from 'vitest'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { CassetteError } from '../../../errors.ts'
import { shared } from '../../../real/shared.ts'

type Runner = typeof TestRunner

/** The file that this worker runs. */
interface CurrentFile {
  /** Scopes read it at every request. */
  config: ResolvedConfig
  /** The set-up hands it over: a second Vitest, loaded by this package, would know no suite. */
  runner: Runner
}

const current = shared<{ file?: CurrentFile }>('current-file')

/** Begins a test file with the configuration of the plugin, or with the defaults. Returns its own copy of it. */
export function beginFile(config: ResolvedConfig, runner: Runner): ResolvedConfig {
  current.file = { config: { ...config }, runner }
  return current.file.config
}

/**
 * The test file that is set up or runs.
 *
 * @param caller the function of the API that needs it
 * @throws CassetteError `invalid-option` where no set-up ran before
 */
export function currentFile(caller: string): CurrentFile {
  if (current.file) return current.file
  throw new CassetteError(
    'invalid-option',
    `${caller}() was called before the set-up of vitest-cassette. Import 'vitest-cassette/setup' first, or name the ` +
      'plugin in the config.',
  )
}
