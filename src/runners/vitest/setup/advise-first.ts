import type { Failure } from '../../../explain/judge-attempt.ts'

/** Puts a way out before the others of a failure, as the cheapest. */
export function adviseFirst(failure: Failure, way: string): void {
  const { cause, details } = failure
  if (!cause) return void (failure.details += `\n\n${way}`)
  const advice = `${way}\n\n${cause.advice}`
  failure.details = details.replace(cause.advice, () => advice)
  cause.advice = advice
}
