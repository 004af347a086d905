/** Answers that are one chunk, and there from the start. */
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
