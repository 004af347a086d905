import type { ParamValues } from '../config/check-params.ts'
import { loadLater } from '../real/load-later.ts'
import type { Attempt } from './attempt.ts'

/** Loads what reads the values of a test: few tests have parameters or redaction rules, or other volatile values. */
export const loadLiveValues: () => typeof import('./live-values.ts') = loadLater(
  './live-values.mjs',
  () => import('./live-values.ts'),
)

/**
 * Declares parameters of an attempt.
 *
 * @throws CassetteError as `Session.declare` does.
 */
export function declareParams(
  attempt: Pick<Attempt, 'isRunning' | 'params' | 'session'>,
  values: ParamValues,
): void {
  if (attempt.isRunning) attempt.session.declare(values)
  else attempt.params = (attempt.params ?? new (loadLiveValues().Params)()).with(values)
}
