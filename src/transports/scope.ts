import { AsyncLocalStorage } from 'node:async_hooks'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { asFailure } from '../real/real-world.ts'
import { shared } from '../real/shared.ts'

/**
 * The owner of a request: a test, or `upstream` for the calls that a recording makes itself. The test runner enters a
 * scope; interception only reads it.
 */
export type Scope = Attempt | 'upstream'

interface Scopes {
  storage: AsyncLocalStorage<Scope>
  /** The scope of the file whose tests are running. A worker runs one file at a time. */
  ofFile?: Attempt
  /** All files so far that were imported in their scope. */
  files: WeakSet<Attempt>
  /** The file whose tests are being collected, in its scope. */
  collecting?: Attempt
  /** The test that is running, while no other runs beside it. */
  alone?: LoneTest
  /** How many requests were created so far. */
  created: number
  /** All tests that are running, each with how many requests were created before it began: none of them is for it. */
  running: Map<Attempt, number>
  /** The scope of the code that started a server. */
  starters: WeakMap<object, Scope | undefined>
}

/**
 * A test beside which no other runs, so that a request to a server can only be its own. Node runs the requests of a
 * server in the context of the code that started it, which is `beforeAll`, or a test that has ended.
 */
interface LoneTest {
  attempt: Attempt
  /** Whether calls that a server makes for the test belong to the file nevertheless. */
  leavesToFile: () => boolean
}

/** What this file keeps, for what few requests need. */
export const scopes: Scopes = shared<Scopes>('scopes', () => ({
  storage: new AsyncLocalStorage(),
  files: new WeakSet(),
  created: 0,
  running: new Map(),
  starters: new WeakMap(),
}))

/** Runs a function inside a scope. Everything that it starts stays in the scope, however late it runs. */
export function runInScope<Result>(scope: Scope, run: () => Result): Result {
  return scopes.storage.run(scope, run)
}

/**
 * Enters a scope for the rest of the running code, for callers that only hear of the beginning of other code and
 * cannot wrap it.
 */
export function enterScope(scope: Scope | undefined): void {
  scopes.storage.enterWith(scope as Scope)
}

/** Makes a scope the owner of requests that no test made: module level, hooks of the file. */
export function setFileScope(scope: Attempt | undefined): void {
  scopes.ofFile = scope
}

/** Enters the scope of a file whose module is about to be imported, and its tests collected. */
export function enterCollecting(file: Attempt): void {
  scopes.collecting = file
  scopes.files.add(file)
  enterScope(file)
}

/** The tests of the file are collected: its hooks run from here on. */
export function endCollecting(): void {
  scopes.collecting = undefined
}

/** Names the test that is running, while no other runs beside it. */
export function setLoneTest(test: LoneTest | undefined): void {
  scopes.alone = test
}

/** Counts a test among those that are running. Returns a function that ends this. */
export function noteRunning(test: Attempt): () => void {
  scopes.running.set(test, scopes.created)
  return () => scopes.running.delete(test)
}

/** Whether no other test runs beside one that is closed. */
export function closesAlone(): boolean {
  return scopes.running.size <= 1
}

/** Whether another test is running for which something is true. */
export function runsBeside(test: Attempt, isMeant: (other: Attempt) => boolean): boolean {
  return [...scopes.running.keys()].some((other) => other !== test && isMeant(other))
}

/** Whether an attempt is that of the file whose tests are running. */
export function isOfFile(scope: Attempt): boolean {
  return scope === scopes.ofFile
}

/** Whether an attempt is that of an earlier file, whose modules go on in this process. */
export function isOfEarlierFile(scope: Attempt): boolean {
  return scope !== scopes.ofFile && scopes.files.has(scope)
}

/** The scope of the code that is running now. */
export function currentScope(): Scope | undefined {
  return scopes.storage.getStore() ?? scopes.ofFile
}

/**
 * Makes an error of a function fail the running test, also where the application swallows it; outside of all tests, the
 * run.
 */
export function failing<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    try {
      return run(...args)
    } catch (error) {
      throw failHere(error as Error)
    }
  }
}

/** Fails the running test with an error; outside of all tests, the run. Returns the error that it shows. */
export function failHere(error: Error): Error {
  const known = asFailure(error)
  const scope = currentScope()
  if (typeof scope === 'object') scope.fail(known)
  else if (scope === undefined) void Promise.reject(known)
  return known
}

/** Whether a scope is that of a file which is being imported. If that fails, Vitest runs no hook that could explain it. */
export function isImporting(scope: Scope | undefined): boolean {
  const entered = scopes.storage.getStore()
  return scope === scopes.ofFile && (entered === undefined || entered === scopes.collecting)
}

/** The configuration of the running code: that of its test, or else of the file. */
export function configHere(ofFile: ResolvedConfig): ResolvedConfig {
  return configOf(currentScope(), ofFile)
}

/** Whether something is true of a scope, or of its file outside of the tests. */
export function isTrueOf(scope: Scope | undefined, isTrue: (attempt: Attempt) => boolean): boolean {
  if (scope === 'upstream') return false
  const { ofFile } = scopes
  return (scope !== undefined && isTrue(scope)) || (ofFile !== undefined && isTrue(ofFile))
}

export function configOf(scope: Scope | undefined, ofFile: ResolvedConfig): ResolvedConfig {
  return typeof scope === 'object' ? scope.config : ofFile
}

/**
 * The owner of the running code: the scope of a test, `file` in hooks that run once, or `undefined` while a file is
 * imported.
 */
export function runningTest(): Attempt | 'file' | undefined {
  const scope = scopes.storage.getStore()
  if (typeof scope !== 'object') return undefined
  if (scope === scopes.collecting) return undefined
  return scope === scopes.ofFile ? 'file' : scope
}
