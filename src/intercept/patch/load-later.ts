import { createRequire } from 'node:module'
import { isInVmPool } from './vm-pool.ts'

const require = createRequire(import.meta.url)
const preloads: Array<() => Promise<void>> = []

/**
 * Loads a part of the built package synchronously, at its first use: most test files need none.
 *
 * @param file the part, beside this one in `dist`
 * @param preload imports the same part, for vm pools, which cannot load synchronously
 */
export function loadLater<Part>(file: string, preload: () => Promise<Part>): () => Part {
  let part: Part | undefined
  if (isInVmPool()) preloads.push(async () => void (part ??= await preload()))
  return () => (part ??= require(file) as Part)
}

/** In a vm pool, loads all parts before the test file runs. */
export async function preloadForVmPool(): Promise<void> {
  // A part can register further parts when it loads.
  for (let load = preloads.shift(); load; load = preloads.shift()) await load()
}
