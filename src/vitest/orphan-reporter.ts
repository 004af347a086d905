import { resolve } from 'node:path'
import process from 'node:process'
import pc from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { findOrphans, type Orphan } from '../cassette/orphans.ts'
import { CassetteStore } from '../cassette/store.ts'
import { readEnvironment } from '../config/environment.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { harmless } from '../diff/harmless.ts'
import { livingTests } from './living-tests.ts'
import { whyPartial } from './partial-run.ts'

/** A cassette folder, and the roots of the projects that share it. */
interface Folder {
  dir: string
  roots: Set<string>
  config: ResolvedConfig
}

/** Names the cassettes whose test is gone, after a run of all tests that passed. On CI they fail it. */
export class OrphanReporter implements Reporter {
  readonly #folders: Map<string, Folder> = new Map()
  #vitest?: Vitest

  /** Looks after the cassettes of one more project. */
  add(root: string, config: ResolvedConfig): void {
    if (config.mode === 'off') return
    const dir = resolve(root, config.dir)
    const known = this.#folders.get(dir)
    if (known) known.roots.add(root)
    else this.#folders.set(dir, { dir, roots: new Set([root]), config })
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: string,
  ): Promise<void> {
    const vitest = this.#vitest
    if (!vitest || reason !== 'passed' || errors.length > 0) return
    if (await whyPartial(vitest, modules)) return
    for (const { dir, roots, config } of this.#folders.values()) {
      const [root] = roots
      const store = new CassetteStore(root!, config.dir, config.maxCassetteBytes)
      const orphans = findOrphans(store, livingTests(modules, roots, dir))
      if (orphans.length === 0) continue
      const fails = config.orphans === 'fail' && readEnvironment(process.env).ci
      vitest.logger.error(render(store, orphans, fails))
      if (fails) process.exitCode = 1
    }
  }
}

function render(store: CassetteStore, orphans: Orphan[], fails: boolean): string {
  const paint = pc.createColors(pc.isColorSupported)
  const count = `${orphans.length} ${orphans.length === 1 ? 'cassette' : 'cassettes'} without a test`
  return [
    `${paint.dim('Orphans'.padStart(11))}  ${(fails ? paint.red : paint.yellow)(count)}`,
    ...orphans.flatMap(({ path, id, renamedTo }) => [
      `             ${harmless(id)}`,
      ...(renamedTo === undefined ? [] : [`               renamed to ${harmless(renamedTo)}`]),
      `               ${paint.dim(store.display(path))}`,
    ]),
    `             See and delete them: ${paint.bold('npx vitest-cassette prune')}`,
    '',
  ].join('\n')
}
