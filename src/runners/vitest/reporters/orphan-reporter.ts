import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import pc from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import type { Orphan } from '../../../cassette/orphans.ts'
import type { CassetteStore } from '../../../cassette/store.ts'
import { appendLine } from '../../../attempt/run-channel.ts'
import { hasColors } from '../../../config/has-colors.ts'
import { readEnvironment, STARTED_RUN } from '../../../config/environment.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { printable } from '../../../text/printable.ts'
import { plannedFiles, whyPartial } from './partial-run.ts'
import { summaryRows } from '../../run-watchers.ts'

/** Further orphans are only counted. */
const MAX_SHOWN = 20

/** A cassette folder. */
interface Folder {
  /** The root of the first project that uses it. */
  root: string
  /** The roots of all projects that use it. */
  roots: Set<string>
  config: ResolvedConfig
}

/** Names the cassettes whose test is gone, after a run of all tests that passed. On CI, `orphans: 'fail'` fails it. */
export class OrphanReporter implements Reporter {
  readonly #folders: Map<string, Folder> = new Map()
  /** The folder of a run of `prune`. */
  readonly #report?: string
  #vitest?: Vitest

  constructor() {
    const { run } = readEnvironment(process.env)
    if (run?.by !== 'prune') return
    this.#report = run.folder
    // A Vitest that tests start must not write this report.
    delete process.env[STARTED_RUN]
  }

  /** Adds the cassette folder of a project. */
  add(root: string, config: ResolvedConfig): void {
    if (config.mode === 'off') return
    const path = resolve(root, config.dir)
    const known = this.#folders.get(path)
    if (known) known.roots.add(root)
    else this.#folders.set(path, { root, roots: new Set([root]), config })
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: string,
  ): Promise<void> {
    const passed = reason === 'passed' && errors.length === 0
    const vitest = this.#vitest!
    const silence = passed
      ? whyPartial(vitest, modules, await plannedFiles(vitest))
      : 'not all tests passed'
    const judged = await this.#judge(modules, silence)
    if (this.#report !== undefined) {
      const folders = judged.map(({ folder: { root, config }, orphans }) => ({
        root,
        dir: config.dir,
        orphans,
      }))
      return appendLine(this.#report, { kind: 'orphans', report: { silence, folders } })
    }
    for (const { folder, store, orphans } of judged) {
      if (orphans.length === 0) continue
      const fails = folder.config.orphans === 'fail' && readEnvironment(process.env).ci
      this.#vitest!.logger.error(render(store, orphans, fails))
      if (fails) process.exitCode = 1
    }
  }

  /** The orphans of each folder; no folders if `silence` gives a reason to report none. */
  async #judge(
    modules: readonly TestModule[],
    silence: string | undefined,
  ): Promise<Array<{ folder: Folder; store: CassetteStore; orphans: Orphan[] }>> {
    if (silence !== undefined) return []
    const isReported = this.#report !== undefined
    const folders = [...this.#folders].filter(([path]) => isReported || existsSync(path))
    if (folders.length === 0) return []
    const { CassetteStore, findOrphans, livingTests } = await import('./at-run-end.ts')
    return folders.map(([path, folder]) => {
      const { root, roots, config } = folder
      const store = new CassetteStore(root, config.dir, config.maxCassetteBytes)
      return { folder, store, orphans: findOrphans(store, livingTests(modules, roots, path)) }
    })
  }
}

function render(store: CassetteStore, orphans: Orphan[], fails: boolean): string {
  const paint = pc.createColors(hasColors())
  const count = `${orphans.length} ${orphans.length === 1 ? 'cassette' : 'cassettes'} without a test`
  const shown = orphans
    .slice(0, MAX_SHOWN)
    .flatMap(({ path, id, renamedTo }) => [
      printable(id),
      renamedTo !== undefined && `  renamed to ${printable(renamedTo)}`,
      `  ${paint.dim(printable(store.display(path)))}`,
    ])
  const lines = [
    (fails ? paint.red : paint.yellow)(count),
    ...shown,
    orphans.length > MAX_SHOWN && `and ${orphans.length - MAX_SHOWN} more`,
    `See and delete them: ${paint.bold('npx vitest-cassette prune')}`,
  ]
  return summaryRows('Orphans', lines, paint)
}
