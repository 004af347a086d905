import type { Suggestion } from '../../engine/match.ts'
import type { Session } from '../../engine/session.ts'

/** The missing rules of all requests of a test, each rule and each pair once. */
export function undeclaredIn({ asked }: Session): Suggestion | undefined {
  const found = asked.flatMap(({ undeclared }) => undeclared ?? [])
  if (found.length === 0) return undefined
  const pairs = found.flatMap((one) => one.pairs)
  const byText = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))
  return { rules: [...new Set(found.flatMap(({ rules }) => rules))], pairs: [...byText.values()] }
}
