/** Asks until it has ended; returns every answer and the last. */
export async function polled<T>(
  ask: () => Promise<T>,
  hasEnded: (state: T) => boolean,
): Promise<[T[], T]> {
  const states = [await ask()]
  while (!hasEnded(states.at(-1)!)) states.push(await ask())
  return [states, states.at(-1)!]
}
