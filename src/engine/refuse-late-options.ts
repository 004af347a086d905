import { CassetteError } from '../errors.ts'

/** Options that are read only when the attempt has ended. */
const JUDGED_LATER = ['unused', 'recordErrors', 'invalid']

/** How far an attempt has come. */
interface Progress {
  test: { id: string }
  wasAsked: boolean
  late: { isOver: boolean }
}

/**
 * Refuses options that are set when requests were already answered without them.
 *
 * @throws CassetteError `invalid-option`
 */
export function refuseLateOptions(
  names: readonly string[],
  { test, wasAsked, late: { isOver } }: Progress,
): void {
  const late = names.filter((name) => isOver || !JUDGED_LATER.includes(name))
  if (late.length === 0 || !(isOver || wasAsked)) return
  const when = isOver ? 'after the end' : 'after the first request'
  throw new CassetteError(
    'invalid-option',
    `${late.join(', ')}: set ${when} of the test "${test.id}", when requests were already answered without it. ` +
      'Set it before the test asks, or in beforeEach.',
  )
}
