import { mkdirSync, writeFileSync } from 'node:fs'

/** Keeps what the application got, for a comparison of two runs. */
export function keep(name: string, result: unknown): void {
  const { RESULTS } = process.env
  mkdirSync(RESULTS!, { recursive: true })
  writeFileSync(`${RESULTS}/${name}.json`, JSON.stringify(result, null, 2))
}

/** Asks until it has ended; returns every answer and the last. */
export async function polled<T>(
  ask: () => Promise<T>,
  hasEnded: (state: T) => boolean,
): Promise<[T[], T]> {
  const states = [await ask()]
  while (!hasEnded(states.at(-1)!)) states.push(await ask())
  return [states, states.at(-1)!]
}
