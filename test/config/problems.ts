import { inspect } from 'node:util'
import { failuresOf } from '../golden.ts'

/** What is wrong with each of some values, without the lines around it that all of them share. */
export async function problemsOf(
  values: readonly unknown[],
  parse: (value: unknown) => unknown,
): Promise<string> {
  const titled = values.map(
    (value) => [inspect(value, { breakLength: Infinity }), () => parse(value)] as const,
  )
  const lines = (await failuresOf(titled)).split('\n')
  return lines.filter((line) => line.startsWith('# ') || line.startsWith('  ')).join('\n')
}
