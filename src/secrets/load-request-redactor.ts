import { loadLater } from '../real/load-later.ts'

/** Loads what redacts requests: one that is asked word for word needs no redaction. */
export const loadRequestRedactor: () => typeof import('./redactor.ts') = loadLater(
  './redactor.mjs',
  () => import('./redactor.ts'),
)
