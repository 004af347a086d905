import { mkdirSync, writeFileSync } from 'node:fs'

/** Keeps what the application got, for a comparison of two runs. */
export function keep(name: string, result: unknown): void {
  const { RESULTS } = process.env
  mkdirSync(RESULTS!, { recursive: true })
  writeFileSync(`${RESULTS}/${name}.json`, JSON.stringify(result, null, 2))
}
