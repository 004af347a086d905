import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { FailureInRun } from '../../../explain/failure.ts'

/** Fewer failures are shown one by one. */
export const MANY = 3

/** Tests that fail for the same cause. */
export interface SharedCause<Test> {
  /** The failure of the first of them. */
  failure: FailureInRun
  tests: Array<Test & { failure: FailureInRun }>
}

/** The causes that {@link MANY} or more tests share, in order of appearance. */
export function sharedCauses<Test extends Pick<CassetteMeta, 'failure'>>(
  tests: readonly Test[],
): Array<SharedCause<Test>> {
  const failed = tests.filter(
    (test): test is Test & { failure: FailureInRun } => test.failure?.cause?.key !== undefined,
  )
  return [...Map.groupBy(failed, ({ failure }) => failure.cause!.key).values()]
    .filter((group) => group.length >= MANY)
    .map((group) => ({ failure: group[0]!.failure, tests: group }))
}
