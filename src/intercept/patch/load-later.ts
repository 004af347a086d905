import { createRequire } from 'node:module'
import { isInVmPool } from './vm-pool.ts'

const require = createRequire(import.meta.url)
const preloads: Array<() => Promise<void>> = []

/**
 * Loads a part of the built package when something first asks for it, and at once: most test files need none of it.
 *
 * @param file the part, beside this one in `dist`
 * @param preload imports the same, for vm pools, in which nothing can be loaded at once
 */
export function loadLater<Part>(file: string, preload: () => Promise<Part>): () => Part {
  let part: Part | undefined
  if (isInVmPool()) preloads.push(async () => void (part ??= await preload()))
  return () => (part ??= require(file) as Part)
}

/** In a vm pool, loads all that could be asked for, before the test file runs. */
export async function preloadForVmPool(): Promise<void> {
  // A part can name further ones when it is loaded.
  for (let load = preloads.shift(); load; load = preloads.shift()) await load()
}
