import type { TestProject } from 'vitest/node'
import { setUpRun } from './set-up-projects.ts'

/** A global set-up of the root config: Vitest hands its plugin none of the projects that have a config of their own. */
export default function setUp({ vitest }: TestProject): void {
  setUpRun(vitest)
}
