import { CassetteError, withFrames } from '../../errors.ts'
import type { Failure } from '../../explain/judge.ts'
import { withConsequences } from '../../intercept/call/consequences.ts'

/**
 * The error of a failure as Vitest reports it: its message, then the details and consequences as they stand, then the
 * stack.
 *
 * @param frames the lines of its stack
 */
export function reportedError(
  { code, headline, details }: Pick<Failure, 'code' | 'headline' | 'details'>,
  consequences: ReadonlyArray<{ name?: string; message: string }>,
  frames: readonly string[],
): CassetteError {
  const lines = consequences.map(
    ({ name = 'Error', message }) => `${name}: ${message.split('\n')[0]}`,
  )
  return Object.assign(withFrames(new CassetteError(code, headline), frames), {
    diff: withConsequences(details, lines),
    // Otherwise Vitest computes a diff of its own.
    showDiff: false,
    // Vitest fails such an error under `test.fails` too, where it would count as the expected one.
    __vitest_test_syntax_error__: true,
  })
}
