import type { RareCases } from '../engine/rare-cases.ts'
import { loadLater } from '../real/load-later.ts'
import { findFailed, leaveOvercome } from './overcome.ts'

/** Loads what few tests need. */
export const loadRare: () => typeof import('./all-rare-cases.ts') = loadLater(
  './rare-cases.mjs',
  () => import('./all-rare-cases.ts'),
)

const all: RareCases = new Proxy({} as RareCases, {
  get: (_, name: keyof RareCases) => loadRare().rareCases[name],
})

/** The rare cases. A plain recording needs these two; each other one loads all of them when it is first read. */
export const laterCases: RareCases = Object.assign(Object.create(all) as RareCases, {
  findFailed,
  leaveOvercome,
})
