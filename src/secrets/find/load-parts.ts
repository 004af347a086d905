import { loadLater } from '../../real/load-later.ts'

/** Loads what finds the credentials in a part of a value: most values are one word, or none. */
export const loadCredentialParts: () => typeof import('./credential-parts.ts') = loadLater(
  './credential-parts.mjs',
  () => import('./credential-parts.ts'),
)
