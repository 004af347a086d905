import type { TestProject } from 'vitest/node'
import { setUpRun } from './set-up-projects.ts'

/** A global set-up of the root config, whose plugin gets no project that has a config of its own. */
export default function setUp({ vitest }: TestProject): void {
  setUpRun(vitest)
}
