import { createRequire } from 'node:module'
import { CassetteError } from '../errors.ts'
import { builtin } from './builtin.ts'
import { inRealLoader } from './real-world.ts'
import { isInVmPool } from './shared.ts'

// The guard of each process loads this file, and no part: the build leaves it out there.
const require = /* @__PURE__ */ requireFrom(import.meta.url)
const preloads: Array<() => Promise<void>> = []

declare global {
  interface ImportMeta {
    /** Set by the build. Sources have no built parts that could be required, so they import theirs. */
    readonly isBuilt?: true
  }
}

/**
 * Whether `require()` may be unable to load parts: in the sources, in a vm pool, and under
 * --no-experimental-require-module.
 */
const mayImport =
  !import.meta.isBuilt ||
  /* @__PURE__ */ isInVmPool() ||
  !(process.features as { require_module?: boolean }).require_module

/**
 * Loads modules as code at an address would. Node reads them by the functions of `node:fs`, and keeps what it read: a
 * module that a test's fake stood in for would be missing for all tests after it.
 */
export function requireFrom(url: string): (name: string) => unknown {
  const load = createRequire(url)
  return (name) => inRealLoader(() => load(name))
}

/** Loads a package by Node's own `require`: the one of a VM context cannot load it synchronously. */
export function loadPackage(name: string): unknown {
  const load = builtin('node:module').createRequire(import.meta.url)
  return inRealLoader(() => load(name))
}

/**
 * Loads a part of the built package synchronously, at its first use: most test files need none.
 *
 * @param file the part, beside this one in `dist`
 * @param preload imports the same part, where it cannot load synchronously. The build needs none for CommonJS.
 */
export function loadLater<Part>(
  file: string,
  preload: (() => Promise<Part>) | undefined,
): () => Part {
  let part: Part | undefined
  if (mayImport) preloads.push(async () => void (part ??= await preload?.()))
  return () => (part ??= loadPart<Part>(file))
}

/** @throws CassetteError `internal` */
function loadPart<Part>(file: string): Part {
  try {
    return require(file) as Part
  } catch (error) {
    const { name, message } = error as Error
    // Playwright compiles what is not below `node_modules`, into what is no module.
    const isCompiled = name === 'SyntaxError' && !import.meta.dirname.includes('node_modules')
    const way = isCompiled
      ? `It is linked, so Playwright compiles it. Leave it out in its config:\n  build: { external: ['${import.meta.dirname.replaceAll('\\', '/')}/**'] }`
      : 'Run the test again, or install anew: npm ci'
    throw new CassetteError(
      'internal',
      `A part of vitest-cassette cannot be loaded, so nothing is answered or recorded (${file}: ${message}).\n${way}`,
      { cause: error },
    )
  }
}

let canLoad: boolean | undefined

/** Whether parts can load synchronously: in a vm pool, Vitest can since 5.1, where its Node can. */
function canLoadLater(): boolean {
  try {
    // It has been loaded, so that this loads nothing.
    if (canLoad === undefined) require('./runtime.mjs')
    return (canLoad ??= true)
  } catch {
    return (canLoad = false)
  }
}

/** Where parts cannot load synchronously, loads all of them before the test file runs. */
export async function preloadParts(): Promise<void> {
  if (!mayImport || canLoadLater()) return
  // A part can register further parts when it loads.
  for (let load = preloads.shift(); load; load = preloads.shift()) await load()
}
