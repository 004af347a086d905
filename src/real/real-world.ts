import { asCassetteError, CassetteError } from '../errors.ts'
import { bindingOf, builtin, isLoaded } from './builtin.ts'
import { isInVmPool, shared } from './shared.ts'

type Holder = Record<string, unknown>

/** A function, or another value, as it was before any test. */
interface Kept {
  holder: Holder
  name: string
  real: unknown
  /** How an error names it. */
  label: string
}

// Several files can share a process, and one of them can leave a fake behind.
const ofPaths = shared('real-paths', () => functionsOf('path', builtin('node:path')))

const ofProcess = shared('real-world', () => {
  const binding = bindingOf('fs') as Holder | undefined
  return [
    functionsOf('fs', builtin('node:fs')).filter(({ name }) => name.endsWith('Sync')),
    functionsOf("fs, by its binding in Node (process.binding('fs'))", binding, true),
    ofPaths,
    functionsOf('os', builtin('node:os')),
    // What mock-fs puts in the binding asks for this one, also if mock-fs was there first.
    binding ? keep(binding, '_mockedBinding', undefined, 'fs, by mock-fs') : [],
  ].flat()
})

const ofBuffers = shared('real-buffers', () => {
  const { toString: real } = Buffer.prototype
  return [
    ...functionsOf('Buffer', Buffer),
    keep(Buffer.prototype, 'toString', real, 'Buffer.prototype.toString'),
  ]
})

/** What decides how modules load, and what they read when they do. */
const ofLoader = shared('real-loader', () => {
  const { Module } = builtin('node:module') as unknown as { Module: Holder }
  const { _extensions, prototype } = Module as Record<'_extensions' | 'prototype', Holder>
  return [
    functionsOf('module', Module),
    functionsOf('require', _extensions),
    functionsOf('Module.prototype', prototype),
    ['platform', 'arch', 'version', 'versions'].map((name) =>
      keep(process, name, process[name as 'arch'], `process.${name}`),
    ),
  ].flat()
})

/** The functions that work on values. Each context of a vm pool has a JSON of its own. */
const ofValues = [...ofBuffers, ...functionsOf('JSON', JSON)]

/** The classes of fetch. Node loads all of its clients when one of them is first read. */
const CLASSES = ['FormData', 'Headers', 'Request', 'Response']

/** Globals on which prompts and addresses depend. */
const GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Date',
  'JSON',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'structuredClone',
  // The last: they keep the others as these are when they load.
  ...CLASSES,
]

const here = globalThis as unknown as Holder

/** The globals of the environment in which the test file began. */
let globals: Kept[] = []

/** Those of them that Node makes when they are first read. */
let unread: Array<{ name: string; get: () => unknown }> = []

/**
 * Whether no set-up file of the user has run: these run after ours, and may bring polyfills. Then nothing is replaced,
 * and Node's clients must not load yet.
 */
export const setUp: { isRunning: boolean } = { isRunning: false }

/** Keeps the globals of the environment in which a test file begins. */
export function keepGlobals(): void {
  const isHere = isInVmPool() || process.versions.bun !== undefined
  const areStreamsLoaded = isHere || isLoaded('node:internal/webstreams/readablestream')
  const areClassesLoaded = isHere || isLoaded('node:internal/deps/undici/undici')
  globals = []
  unread = []
  for (const name of GLOBALS) {
    // To look at the property would load the streams, or all of Node's clients, which few files need.
    const isStream = name.endsWith('Stream') && !areStreamsLoaded
    const isClass = CLASSES.includes(name) && !areClassesLoaded
    const { get, value } =
      isStream || isClass
        ? { get: () => makeGlobal(name, isClass), value: undefined }
        : (Object.getOwnPropertyDescriptor(here, name) ?? {})
    if (get) unread.push({ name, get })
    else globals.push(keep(here, name, value, name))
  }
}

keepGlobals()

function makeGlobal(name: string, isClass: boolean): unknown {
  if (!isClass) return (builtin('node:stream/web') as unknown as Holder)[name]
  const load = builtin('node:module').createRequire(import.meta.url)
  const { classOfNode } = load('./class-of-node.cjs') as typeof import('./class-of-node.ts')
  return classOfNode(name, globals)
}

/** Keeps the functions of a module that loads now: no test can have faked them yet. */
export function keepFunctions(name: string, module: object): void {
  if (!ofProcess.some(({ holder }) => holder === module))
    ofProcess.push(...functionsOf(name, module))
}

function keep(holder: object, name: string, real: unknown, label: string): Kept {
  return { holder: holder as Holder, name, real, label }
}

/** @param isOne whether its functions are named together */
function functionsOf(label: string, holder: object = {}, isOne: boolean = false): Kept[] {
  const kept: Kept[] = []
  // A loop, since every worker comes here.
  for (const name of Object.getOwnPropertyNames(holder)) {
    const real: unknown = Object.getOwnPropertyDescriptor(holder, name)!.value
    if (typeof real === 'function')
      kept.push(keep(holder, name, real, isOne ? label : `${label}.${name}`))
  }
  return kept
}

/** The fakes in whose places the real functions are now. */
export const world: { replaced?: Kept[] } = {}

/**
 * Runs a function that does its work at once, with the real functions of Node in the place of those that a test has
 * faked: the file system, and what else decides whether two prompts are the same.
 */
export function inRealWorld<Result>(run: () => Result): Result {
  if (world.replaced) return run()
  const leave = enterRealWorld()
  try {
    return run()
  } finally {
    leave()
  }
}

/** Whether code runs for which nothing that works on values was faked when it began. */
let isReal = false

/**
 * The same for what only reads and compares values: then it looks at fewer functions, and once, however often code
 * inside of it asks for the same. What needs the file system, or loads a part, runs in the real world of its own.
 */
export function withRealValues<Result>(run: () => Result): Result {
  if (isReal || world.replaced) return run()
  readGlobals()
  if (hasFakes(globals) || hasFakes(ofValues)) return inRealWorld(run)
  isReal = true
  try {
    return run()
  } finally {
    isReal = false
  }
}

/** A loop, since every call of a test comes here. */
function hasFakes(list: readonly Kept[]): boolean {
  for (const one of list) if (one.holder[one.name] !== one.real && isFake(one)) return true
  return false
}

/** Whether something else than the real value is there. MSW wraps the classes of fetch while it is open. */
function isFake(one: Kept): boolean {
  const now = one.holder[one.name] as { prototype?: unknown } | undefined
  if (now === one.real) return false
  const { prototype } = Object(one.real) as { prototype?: unknown }
  if (!prototype || now?.prototype !== prototype || !builtin('node:util').types.isProxy(now))
    return true
  one.real = now
  return false
}

/** The same for what reads the exports of modules alone. */
export function withRealModules<Result>(run: () => Result): Result {
  const isFaked = !world.replaced && (hasFakes(ofProcess) || hasFakes(ofBuffers))
  return isFaked ? withReal([...ofProcess, ...ofBuffers], run) : run()
}

/** The same for what only works on paths, as much does that runs for each test: it looks at few functions. */
export function withRealPaths<Result>(run: () => Result): Result {
  return !world.replaced && hasFakes(ofPaths) ? withReal(ofPaths, run) : run()
}

/** The same for what loads modules. */
export function inRealLoader<Result>(run: () => Result): Result {
  return hasFakes(ofLoader) ? withReal(ofLoader, () => inRealWorld(run)) : inRealWorld(run)
}

function withReal<Result>(list: readonly Kept[], run: () => Result): Result {
  const restore = putRealInto(fakesIn(list))
  try {
    return run()
  } finally {
    restore()
  }
}

/** The same for work that takes its time, while no code of a test runs that could see or end its fakes. */
export async function inRealWorldUntil<Result>(run: () => Promise<Result>): Promise<Result> {
  if (world.replaced) return await run()
  const leave = enterRealWorld()
  try {
    return await run()
  } finally {
    leave()
  }
}

function enterRealWorld(): () => void {
  const fakes = fakesNow()
  const restore = fakes.length > 0 ? putRealInto(fakes) : undefined
  world.replaced = fakes
  return () => {
    world.replaced = undefined
    restore?.()
  }
}

/** Puts what is real in the place of fakes. Returns a function that puts these back. */
function putRealInto(fakes: readonly Kept[]): () => void {
  const faked = fakes.map(({ holder, name }) => Object.getOwnPropertyDescriptor(holder, name))
  const usual = { writable: true, enumerable: true, configurable: true }
  const restore = (): void => {
    for (const [at, { holder, name }] of fakes.entries())
      if (faked[at]) Object.defineProperty(holder, name, faked[at])
      else delete holder[name]
  }
  try {
    for (const { holder, name, real } of fakes)
      Object.defineProperty(holder, name, { ...usual, value: real })
  } catch (error) {
    restore()
    throw error
  }
  return restore
}

function fakesNow(): Kept[] {
  readGlobals()
  return [globals, ofProcess, ofValues].flatMap(fakesIn)
}

/** A loop: it goes through hundreds of functions, which are all real for most tests. */
function fakesIn(list: readonly Kept[]): Kept[] {
  const fakes = []
  for (const one of list) if (one.holder[one.name] !== one.real && isFake(one)) fakes.push(one)
  return fakes
}

/**
 * Reads the globals that were read, or replaced, since the file began.
 *
 * @param wanted one that is read in any case
 */
function readGlobals(wanted?: string): void {
  if (unread.length === 0 || (setUp.isRunning && !wanted)) return
  const left: typeof unread = []
  for (const one of unread) {
    const { name, get } = one
    const now = Object.getOwnPropertyDescriptor(here, name)
    try {
      if (now?.get === get && name !== wanted) left.push(one)
      // Node loads it when it is first read, and then puts it in the place of whatever is there.
      else {
        // Node's clients go on with the streams and signals of now, so the globals stay as they are.
        const real = withReal([ofProcess, ofLoader].flat(), () => get.call(here))
        globals.push(keep(here, name, real, name))
        if (now && now.get !== get) Object.defineProperty(here, name, now)
      }
    } catch (error) {
      if (CassetteError.isInstance(error)) throw error
      // The context of a vm pool can have ended before its file ran.
      left.push(one)
    }
  }
  unread = left
}

/** A global as the test file found it, where the test has faked one. */
export function globalBehindFakes(name: string): unknown {
  readGlobals(name)
  const one = globals.find((kept) => kept.name === name)
  if (!one || world.replaced || !hasFakes(globals)) return undefined
  isFake(one)
  return one.real
}

/** A failure of this package, which names what the test has faked: that is the likely cause. */
export function asFailure(error: Error): CassetteError {
  const known = asCassetteError(error)
  if (known.code !== 'internal') return known
  const names = [
    ...new Set([...(world.replaced ?? fakesNow()), ...fakesIn(ofLoader)].map(({ label }) => label)),
  ]
  if (names.length === 0 || known.message.includes(FAKED)) return known
  const shown = names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names
  return new CassetteError('internal', `${known.message}\n${FAKED}${shown.join(', ')}`, {
    cause: known,
  })
}

const FAKED = 'Faked when it failed, which is the likely cause: '
