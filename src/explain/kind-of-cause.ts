import type { ErrorCode } from '../errors.ts'
import type { Cause } from './cause.ts'

/** Whether a test fails since it has no cassette. */
export function hasNoCassette({ key }: Cause): boolean {
  return key === 'unrecorded' || key === 'renamed'
}

/** Whether a test fails since its recording is no longer valid, though all of its prompts match. */
export function isInvalid({ key }: Cause): boolean {
  return key.startsWith('invalid')
}

/** Whether a test fails for an error that is not about its prompts. */
export function isError({ key }: Cause): boolean {
  return key.startsWith('error')
}

/** Whether the prompt of a test is recorded for another test of the same title. */
export function isOfTwin({ key }: Cause): boolean {
  return key.startsWith('twin')
}

/** The errors that recording does not settle: a refused request is refused again, and the others name their remedy. */
const UNSETTLED: ReadonlySet<ErrorCode> = new Set(['refused', 'speaker', 'secret'])

/** Whether recording settles an error, as far as its code tells. */
export function isSettledByRecording(code: ErrorCode): boolean {
  return !UNSETTLED.has(code)
}
