/** Answers whose body is one chunk, complete from the start. */
const whole = new WeakSet<Response>()

/** Marks an answer as one chunk. */
export function markWhole(response: Response): Response {
  whole.add(response)
  return response
}

/** True for an answer that is marked as one chunk. */
export function isWhole(response: Response): boolean {
  return whole.has(response)
}
