/** Answers that are one chunk, there from the start, and no redirect. */
const whole = new WeakSet<Response>()

/** Says that an answer is one chunk. */
export function markWhole(response: Response): Response {
  whole.add(response)
  return response
}

/** True for an answer of which it is known that it is one chunk. */
export function isWhole(response: Response): boolean {
  return whole.has(response)
}
