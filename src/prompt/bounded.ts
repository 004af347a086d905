import { createContext, Script, type Context } from 'node:vm'
import { CassetteError } from '../errors.ts'

/** Ordinary rules take milliseconds; longer than this, a test would only seem to hang. */
const LIMIT_MS = 2_000

const script = new Script('work()')

/** Created for the first rule of the user, as it takes a millisecond. */
let context: Context | undefined

/**
 * Runs rules of the user's own, and ends them when they take too long, as some regular expressions do.
 *
 * @throws CassetteError `invalid-option` that names the rules.
 */
export function runBounded<T>(work: () => T, rules: readonly unknown[]): T {
  let result: { value: T } | undefined
  context ??= createContext({})
  context.work = (): void => void (result = { value: work() })
  try {
    script.runInContext(context, { timeout: LIMIT_MS })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new CassetteError(
      'invalid-option',
      `The volatile rules took more than ${LIMIT_MS / 1_000} seconds for one request: ${rules.map(nameOf).join(', ')}.\n` +
        'A regular expression that repeats a repetition, such as (a+)+, can take for ever. Write it without.',
    )
  }
  return result!.value
}

function nameOf(rule: unknown): string {
  return typeof rule === 'function' ? rule.name || 'an unnamed function' : String(rule)
}
