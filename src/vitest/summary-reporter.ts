import pc from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { renderSummary } from './run-summary.ts'
import type { CassetteMeta } from './test-meta.ts'

/** Prints what a run replayed, recorded and missed, behind Vitest's own summary. */
export class SummaryReporter implements Reporter {
  #vitest?: Vitest

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const metas = modules.flatMap((module) => [module.meta(), ...testMetas(module)])
    const counted = metas.flatMap((meta) => meta.cassette ?? [])
    if (!counted.some(asksOrIsAsked)) return
    // Standard error: with some reporters, standard output is data.
    this.#vitest?.logger.error(renderSummary(counted, pc.createColors(pc.isColorSupported)))
  }
}

/** A test that no longer asks anything, and owes nothing, has nothing to say. */
function asksOrIsAsked({ replayed, recorded, misses, unused }: CassetteMeta): boolean {
  return replayed + recorded + misses + unused > 0
}

function testMetas(module: TestModule): Array<{ cassette?: CassetteMeta }> {
  return Array.from(module.children.allTests(), (test) => test.meta())
}
