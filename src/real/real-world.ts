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
  const fs = builtin('node:fs')
  // `mock-fs` fakes the binding.
  const holders = [
    fs,
    fs.promises,
    bindingOf('fs'),
    builtin('node:path'),
    builtin('node:os'),
    Buffer,
  ]
  return holders.flatMap((holder) => functionsOf(holder))
})

// Each context of a vm pool has one of its own.
const ofContext = functionsOf(JSON)

/** The globals on which prompts, addresses and answers depend. */
const GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'structuredClone',
]

let globals: Array<[name: string, real: PropertyDescriptor]> = []

/** Keeps the globals of the environment in which a test file begins. */
export function keepGlobals(): void {
  globals = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) ?? {}])
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

/**
 * Runs a function that does its work at once, with the real functions of Node in the place of those that a test has
 * faked: the file system, and what else decides whether two prompts are the same.
 */
export function inRealWorld<Result>(run: () => Result): Result {
  const fakes: Kept[] = fakedGlobals()
  for (const list of [ofProcess, ofContext])
    for (const kept of list) if (kept.holder[kept.name] !== kept.real) fakes.push(kept)
  if (fakes.length === 0) return run()
  const faked = fakes.map(({ holder, name }) => Object.getOwnPropertyDescriptor(holder, name))
  const usual = { writable: true, enumerable: true, configurable: true }
  for (const { holder, name, real } of fakes)
    Object.defineProperty(holder, name, { ...usual, value: real })
  try {
    return run()
  } finally {
    for (const [at, { holder, name }] of fakes.entries())
      if (faked[at]) Object.defineProperty(holder, name, faked[at])
      else delete holder[name]
  }
}

function fakedGlobals(): Kept[] {
  return globals.flatMap(([name, real]) => {
    const isKept = (): boolean => now?.get === real.get && now?.value === real.value
    const now = Object.getOwnPropertyDescriptor(globalThis, name)
    if (isKept()) return []
    // Node loads it when it is first read, and then puts it in the place of whatever is there.
    if (real.get) {
      real.value = real.get.call(globalThis)
      delete real.get
      if (now) Object.defineProperty(globalThis, name, now)
    }
    return isKept() ? [] : [{ holder: globalThis as unknown as Holder, name, real: real.value }]
  })
}
