import { fileURLToPath } from 'node:url'
import type {} from 'vitest/config'
import type { Vite, BrowserCommandContext } from 'vitest/node'
import type { BrowserContext } from '@playwright/test'
import { resolve } from '../real/path.ts'
import { refuseOldNode } from '../config/old-node.ts'
import { refuseOldVitest, runningVitest } from '../config/versions.ts'
import type { CassetteOptions } from '../config/options.ts'
import { checkOptions, loadSchema } from '../config/check-options.ts'
import { packOptions } from './vitest/provide-config.ts'
import { reportersOfRun } from './vitest/versions/run.ts'
import { hasProjects } from './vitest/versions/several-projects.ts'
import {
  setUpProjectsWithoutPlugin,
  setUpProject,
  setUpRun,
  guardBeforeProjects,
  ownDeps,
  PLUGIN,
} from './vitest/set-up-projects.ts'
import type { CachingSettings } from '../config/parse-options.ts'
import type { PageCommands } from './vitest/browser/page-commands.ts'

export type { CachingSettings } from '../config/parse-options.ts'
export type { CassetteOptions } from '../config/options.ts'
export type { Mode } from '../config/mode.ts'
// These exports bring our type declarations for Vitest: a config that TypeScript sees is enough.
export type { CassetteMatchers } from './vitest/api/matchers.ts'
export type { TestCassette } from './vitest/api/test-cassette.ts'

/** Runs once before the tests of several projects. Possibly none of them has the plugin itself. */
const GLOBAL_SETUP = fileURLToPath(new URL('./set-up-run.mjs', import.meta.url))

/**
 * The Vitest plugin: sets every project of the run up to record and replay, and prints a summary. A project with its
 * own plugin uses the options of that plugin.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, when Vitest starts; `unsupported-node`,
 *   `unsupported-vitest`.
 * @example
 * export default defineConfig({ plugins: [cassettes({ hosts: ['llm.example.com'] })] })
 */
export function cassettes(options: CassetteOptions = {}): Vite.Plugin {
  refuseOldNode()
  const checked = checkOptions(options)
  // Refuses what cannot reach the tests before any of them runs.
  packOptions(checked)
  let isOfSeveral = false
  const plugin: Vite.Plugin = {
    name: PLUGIN,
    api: { options: checked },
    config(given) {
      const root = resolve(given.root ?? process.cwd())
      // Releases before 3.1 do not call `configureVitest`, and would run everything live.
      const version = process.env.VITEST ? runningVitest(root) : undefined
      refuseOldVitest(version)
      isOfSeveral = hasProjects({ ...given, root }, version)
      return {
        test: {
          server: { deps: ownDeps(given) },
          browser: { commands: browserCommands },
          ...(isOfSeveral ? { globalSetup: [GLOBAL_SETUP] } : {}),
        },
      }
    },
    configResolved() {
      if (isOfSeveral) guardBeforeProjects(checked)
    },
    configureServer({ config: { test } }) {
      // Merging the reports of shards runs no global set-up.
      if (isOfSeveral) reportersOfRun(test)?.push({ onInit: setUpRun })
    },
    configureVitest({ project, vitest }) {
      refuseOldVitest(vitest.version)
      setUpProject(project, vitest, plugin)
      setUpProjectsWithoutPlugin(vitest)
    },
  }
  return plugin
}

/**
 * Translates the settings of a conversation cache into options, with the defaults of that cache for pictures:
 * `{ match: 'phash', region: 100, threshold: 20 }`.
 *
 * @throws CassetteError `invalid-option` that names each wrong setting.
 * @example
 * cassettes(cachingSettings({ strategy: 'both', executionSettings: { visualValidationThreshold: 8 } }))
 */
export function cachingSettings(settings: CachingSettings = {}): CassetteOptions {
  return loadSchema().parseCachingSettings(settings)
}

type Command<Name extends keyof PageCommands> = (
  context: BrowserCommandContext & { context?: BrowserContext },
  ...args: Parameters<PageCommands[Name]>
) => ReturnType<PageCommands[Name]>

const load = () => import('./vitest/browser/browser-cassettes.ts')

/** The commands that pages call in the process of Vitest. Their implementation loads on the first call. */
const browserCommands: { [Name in keyof PageCommands]: Command<Name> } = {
  cassetteWatch: async ({ project, context }) => (await load()).watchInPages(project, context),
  cassetteOpen: async ({ project, context }, test) =>
    (await load()).openInPage(project, test, context),
  cassetteClose: async (_, base, outcome) => (await load()).closeInPage(base, outcome),
}
