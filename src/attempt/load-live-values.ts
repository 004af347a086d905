import { loadLater } from '../real/load-later.ts'

/** Loads what reads the values of a test: few tests have parameters or redaction rules, or other volatile values. */
export const loadLiveValues: () => typeof import('./live-values.ts') = loadLater(
  './live-values.mjs',
  () => import('./live-values.ts'),
)

/** Loads what redacts requests: one that is asked word for word needs no redaction. */
export const loadRequestRedactor: () => typeof import('../secrets/redactor.ts') = loadLater(
  './redactor.mjs',
  () => import('../secrets/redactor.ts'),
)
