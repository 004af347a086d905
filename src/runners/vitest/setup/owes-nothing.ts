import type { Attempt } from '../../../attempt/attempt.ts'

/** Whether there is a cassette of an attempt. */
export function hasCassette({ owner, config }: Attempt): boolean {
  return owner.hasCassette(config)
}

/** True if the attempt made no request, and no cassette expects one. */
export function owesNothing(attempt: Attempt): boolean {
  return !attempt.wasAsked && !hasCassette(attempt)
}
