import { bindingOf } from './bindings.ts'
import { builtin } from './builtin.ts'
import { shared } from './shared.ts'

type Holder = Record<string, unknown>

/** A function as it was before any test. */
interface Kept {
  holder: Holder
  name: string
  real: unknown
}

// Several files can share a process, and one of them can leave a fake behind.
const ofProcess = shared('real-world', () => {
  const files = functionsOf(builtin('node:fs')).filter(({ name }) => name.endsWith('Sync'))
  // `mock-fs` fakes the binding.
  const others = [bindingOf('fs'), builtin('node:path'), builtin('node:os'), Buffer]
  const { toString } = Buffer.prototype
  const ofBuffers = {
    holder: Buffer.prototype as object as Holder,
    name: 'toString',
    real: toString,
  }
  return [...files, ...others.flatMap(functionsOf), ofBuffers]
})

// Each context of a vm pool has one of its own.
const ofContext = functionsOf(JSON)

/** Globals on which prompts and addresses depend. Not those of fetch: to look at one loads all of Node's clients. */
const GLOBALS = [
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'structuredClone',
]

const here = globalThis as unknown as Holder

let globals: Array<PropertyDescriptor & { name: string }> = []

/** Keeps the globals of the environment in which a test file begins. */
export function keepGlobals(): void {
  globals = GLOBALS.map((name) => ({ name, ...Object.getOwnPropertyDescriptor(here, name) }))
}

keepGlobals()

/** Keeps the functions of a module that loads now: no test can have faked them yet. */
export function keepFunctions(module: object): void {
  if (!ofProcess.some(({ holder }) => holder === module)) ofProcess.push(...functionsOf(module))
}

function functionsOf(holder: object | undefined): Kept[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder ?? {})).flatMap(
    ([name, { value: real }]) =>
      typeof real === 'function' ? [{ holder: holder as Holder, name, real }] : [],
  )
}

/** Whether the real functions are in their places now. */
let isReal = false

/**
 * Runs a function that does its work at once, with the real functions of Node in the place of those that a test has
 * faked: the file system, and what else decides whether two prompts are the same.
 */
export function inRealWorld<Result>(run: () => Result): Result {
  if (isReal) return run()
  const fakes = fakedGlobals()
  for (const list of [ofProcess, ofContext])
    for (const kept of list) if (kept.holder[kept.name] !== kept.real) fakes.push(kept)
  const faked = fakes.map(({ holder, name }) => Object.getOwnPropertyDescriptor(holder, name))
  const usual = { writable: true, enumerable: true, configurable: true }
  isReal = true
  try {
    for (const { holder, name, real } of fakes)
      Object.defineProperty(holder, name, { ...usual, value: real })
    return run()
  } finally {
    isReal = false
    for (const [at, { holder, name }] of fakes.entries())
      if (faked[at]) Object.defineProperty(holder, name, faked[at])
      else delete holder[name]
  }
}

function fakedGlobals(): Kept[] {
  const fakes: Kept[] = []
  for (const real of globals) {
    const { name } = real
    if (real.get) {
      const now = Object.getOwnPropertyDescriptor(here, name)
      if (now?.get === real.get) continue
      // Node loads it when it is first read, and then puts it in the place of whatever is there.
      real.value = real.get.call(here)
      delete real.get
      if (now) Object.defineProperty(here, name, now)
    }
    if (here[name] !== real.value) fakes.push({ holder: here, name, real: real.value })
  }
  return fakes
}
