import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { Cause } from '../../../explain/cause.ts'

/** Fewer failures are shown one by one. */
export const MANY = 3

/** Tests that fail for the same cause. */
export interface SharedCause<Test> {
  cause: Cause
  tests: Array<Test & { cause: Cause }>
}

/** The causes that {@link MANY} or more tests share, in order of appearance. */
export function sharedCauses<Test extends Pick<CassetteMeta, 'cause'>>(
  tests: readonly Test[],
): Array<SharedCause<Test>> {
  const failed = tests.filter((test): test is Test & { cause: Cause } => test.cause !== undefined)
  return [...Map.groupBy(failed, ({ cause }) => cause.key).values()]
    .filter((group) => group.length >= MANY)
    .map((group) => ({ cause: group[0]!.cause, tests: group }))
}
