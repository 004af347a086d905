import { projectRoot } from './worker-state.ts'

/**
 * Explains why the set-up failed, if Vitest is too old: then it lacks what the set-up needs, or is not the one that this
 * package finds.
 *
 * @throws always
 */
export async function explainFailedSetUp(error: unknown): Promise<never> {
  const { refuseOldVitest, runningVitest } = await import('../../../config/versions.ts')
  refuseOldVitest(runningVitest(projectRoot()))
  throw error
}
