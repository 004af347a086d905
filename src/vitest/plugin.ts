import { fileURLToPath } from 'node:url'
import pc from 'picocolors'
import type {} from 'vitest/config'
import type { Vite } from 'vitest/node'
import { readEnvironment } from '../config/environment.ts'
import type { CassetteOptions } from '../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import { guardRun } from '../intercept/guard/guard-run.ts'
import { checkOptions } from './api/check-options.ts'
import { OrphanReporter } from './reporters/orphan-reporter.ts'
import { StatisticsReporter } from './reporters/statistics-reporter.ts'
import { SummaryReporter } from './reporters/summary-reporter.ts'

export type { CassetteOptions } from '../config/options.ts'
export type { Mode } from '../config/mode.ts'

/** Vitest runs TypeScript set-up files afresh for every test file, also with `isolate: false`. */
const SETUP_FILE = fileURLToPath(new URL('./setup-plugin.mts', import.meta.url))

const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url)).replaceAll('\\', '/')

/** All but the set-up file. */
const OWN_MODULES = new RegExp(`${OWN_FOLDER.replaceAll(/[^\w/]/g, '\\$&')}.*\\.mjs$`)

/**
 * The Vitest plugin: sets every project up to record and replay, and prints a summary of the run.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, when Vitest starts.
 * @example
 * export default defineConfig({ plugins: [cassettes({ hosts: ['llm.example.com'] })] })
 */
export function cassettes(options: CassetteOptions = {}): Vite.Plugin {
  const checked = checkOptions(options)
  refuseFunctions(checked)
  const configs: ResolvedConfig[] = []
  return {
    name: 'vitest-cassette',
    // Loaded by Node everywhere: where the package is linked, Vitest would make a second copy of its modules.
    config: () => ({ test: { server: { deps: { external: [OWN_MODULES] } } } }),
    configureVitest({ project, vitest }) {
      const config = resolveConfig(checked, readEnvironment(process.env))
      configs.push(config)
      guardRun(configs)
      project.provide('vitest-cassette', { config, color: pc.isColorSupported })
      // First, so that its hooks enclose those of every other set-up file.
      project.config.setupFiles.unshift(SETUP_FILE)
      const { reporters } = vitest.config
      if (!reporters.some((reporter) => reporter instanceof SummaryReporter)) {
        reporters.push(new SummaryReporter(), new StatisticsReporter())
      }
      let orphans = reporters.find((reporter) => reporter instanceof OrphanReporter)
      if (!orphans) reporters.push((orphans = new OrphanReporter()))
      orphans.add(project.config.root, config)
    },
  }
}

/** Options are copied to the workers, and functions cannot be. */
function refuseFunctions(given: CassetteOptions): void {
  const { volatile = [], redact = [], params = {}, whyInvalid } = given
  const options = { volatile, redact, params: Object.values(params), whyInvalid: [whyInvalid] }
  for (const [option, rules] of Object.entries(options)) {
    if (!rules.some((rule) => typeof rule === 'function')) continue
    throw new CassetteError(
      'invalid-option',
      `${option}: a function cannot travel from the config file to the tests. Give it to configureCassettes({ ${option} }) in a set-up file.`,
    )
  }
}
