import { AsyncLocalStorage } from 'node:async_hooks'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Attempt } from '../../host/attempt.ts'
import { shared } from '../patch/shared.ts'

/**
 * What a request belongs to: a test, or `upstream` for the calls that a recording makes itself.
 * The test runner enters it; interception only reads it.
 */
export type Scope = Attempt | 'upstream'

interface Scopes {
  storage: AsyncLocalStorage<Scope>
  /** That of the file whose tests are running; a worker runs one file at a time. */
  ofFile?: Attempt
}

const scopes = shared<Scopes>('scopes', () => ({ storage: new AsyncLocalStorage() }))

/** Runs a function inside a scope; what it starts, however late, stays in it. */
export function runInScope<Result>(scope: Scope, run: () => Result): Result {
  return scopes.storage.run(scope, run)
}

/** Goes on in a scope, until what runs here has ended: for who is told of a beginning, and runs nothing himself. */
export function enterScope(scope: Scope | undefined): void {
  scopes.storage.enterWith(scope as Scope)
}

/** Makes a scope the owner of requests that no test made: module level, hooks of the file. */
export function setFileScope(scope: Attempt | undefined): void {
  scopes.ofFile = scope
}

/** The scope of the code that is running now. */
export function currentScope(): Scope | undefined {
  return scopes.storage.getStore() ?? scopes.ofFile
}

/** The configuration that holds where the code is running: that of its test, or else of the file. */
export function configHere(ofFile: ResolvedConfig): ResolvedConfig {
  return configOf(currentScope(), ofFile)
}

/** Whether an answer of a scope, or of its file outside of the tests, leads to an address. */
export function isLedTo(url: string, scope: Scope | undefined): boolean {
  if (scope === 'upstream') return false
  return (scope?.leadsTo(url) || scopes.ofFile?.leadsTo(url)) ?? false
}

/** Whether a model was asked at the host of an address: by a scope, or by its file outside of the tests. */
export function asksModelAt(method: string, url: string, scope: Scope | undefined): boolean {
  if (scope === 'upstream') return false
  return (scope?.asksAt(method, url) || scopes.ofFile?.asksAt(method, url)) ?? false
}

/** The configuration of a scope. */
export function configOf(scope: Scope | undefined, ofFile: ResolvedConfig): ResolvedConfig {
  return typeof scope === 'object' ? scope.config : ofFile
}

/**
 * Whose code is running: the scope of a test, `file` in hooks that run once, or nothing while a file
 * is being imported.
 */
export function runningTest(): Attempt | 'file' | undefined {
  const scope = scopes.storage.getStore()
  if (typeof scope !== 'object') return undefined
  return scope === scopes.ofFile ? 'file' : scope
}
