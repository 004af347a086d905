import type { Reporter, Vitest } from 'vitest/node'
import { differingOptions } from '../../attempt/differing-options.ts'
import { appendLine } from '../../attempt/run-channel.ts'
import type { StartedRun } from '../../config/environment.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { RunWatcher } from '../../runners/run-watchers.ts'

/** Watches the runs that `doctor` starts. */
export const settingsOfRun: RunWatcher = {
  watch: ({ run }) => (run?.by === 'doctor' ? new SettingsReporter(run) : undefined),
}

/** Tells `doctor` how the projects of its run are set up. */
class SettingsReporter implements Reporter {
  readonly #run: StartedRun
  readonly #configs: Map<string, ResolvedConfig> = new Map()
  #vitest?: Vitest

  constructor(run: StartedRun) {
    this.#run = run
  }

  add(root: string, config: ResolvedConfig): void {
    this.#configs.set(root, config)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(): void {
    for (const { config } of this.#vitest?.projects ?? []) {
      const { root, pool, environment, isolate, browser } = config
      const ours = this.#configs.get(root)
      if (!ours) continue
      appendLine(this.#run.folder, {
        kind: 'setting',
        setting: {
          root,
          dir: ours.dir,
          pool: knownOr(POOLS, pool),
          environment: knownOr(ENVIRONMENTS, environment),
          isolate,
          browser: browser.enabled,
          options: differingOptions(ours),
        },
      })
    }
  }
}

const POOLS = ['forks', 'threads', 'vmForks', 'vmThreads', 'typescript', 'browser']
const ENVIRONMENTS = ['node', 'jsdom', 'happy-dom', 'edge-runtime']

/** A name of Vitest's; others can be paths of the user. */
function knownOr(names: readonly string[], name: unknown): string {
  return names.includes(name as string) ? String(name) : 'another'
}
