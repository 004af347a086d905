import { AsyncLocalStorage } from 'node:async_hooks'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Session } from '../engine/session.ts'

/**
 * What a request belongs to: a session, or `upstream` for the calls that a recording makes itself.
 * Whoever runs the tests enters it; interception only reads it.
 */
export type Scope = Session | 'upstream'

const storage: AsyncLocalStorage<Scope> = new AsyncLocalStorage()

/** The session of the file whose tests are running; a worker runs one file at a time. */
let fileSession: Session | undefined

/** Runs a function inside a scope; what it starts, however late, stays in it. */
export function runInScope<Result>(scope: Scope, run: () => Result): Result {
  return storage.run(scope, run)
}

/** Makes a session the owner of requests that no test made: module level, hooks of the file. */
export function setFileSession(session: Session | undefined): void {
  fileSession = session
}

/** The scope of the code that is running now. */
export function currentScope(): Scope | undefined {
  return storage.getStore() ?? fileSession
}

/** The configuration that holds where the code is running: that of its test, or else of the file. */
export function configHere(ofFile: ResolvedConfig): ResolvedConfig {
  return configOf(currentScope(), ofFile)
}

/** The configuration of a scope. */
export function configOf(scope: Scope | undefined, ofFile: ResolvedConfig): ResolvedConfig {
  return typeof scope === 'object' ? scope.config : ofFile
}

/**
 * Whose code is running: the session of a test, `file` in hooks that run once, or nothing while a file
 * is being imported.
 */
export function runningTest(): Session | 'file' | undefined {
  const scope = storage.getStore()
  if (typeof scope !== 'object') return undefined
  return scope === fileSession ? 'file' : scope
}
