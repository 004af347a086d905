import { CassetteError } from '../../errors.ts'
import { comesFromRefusal } from './refuse.ts'

/** The most consequences that a failure shows. */
const MAX_CONSEQUENCES = 3

/**
 * Takes the errors of a test out of their list, and returns those to show as consequences of its failure. Errors that
 * an application or SDK made from our refusal are dropped, and so are our own, which the failure shows already.
 */
export function takeConsequences<Consequence>(errors: Consequence[]): Consequence[] {
  return errors
    .splice(0)
    .filter((error) => !comesFromRefusal(error) && !CassetteError.isInstance(error))
    .slice(0, MAX_CONSEQUENCES)
}

/** The text of a failure, with a line for each consequence. */
export function withConsequences(text: string, lines: readonly string[]): string {
  return [text, ...lines.map((line) => `Then the test failed with: ${line}`)].join('\n\n')
}
