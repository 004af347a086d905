import { AsyncLocalStorage } from 'node:async_hooks'
import type { Environment } from '../../config/environment.ts'
import type { TestOptions } from '../../config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import type { Session } from '../../engine/session.ts'
import type { Verbatim } from '../../engine/verbatim.ts'
import type { CassetteError } from '../../errors.ts'
import { shared } from '../patch/shared.ts'

/**
 * What a request belongs to: a test, or `upstream` for the calls that a recording makes itself.
 * Whoever runs the tests enters it; interception only reads it.
 */
export type Scope = TestScope | 'upstream'

/** Opens what answers the requests of a scope. */
export interface ScopeOpening {
  /** Opens the session, and loads the engine for it; `asked` was answered before. */
  session(config: ResolvedConfig, asked: Verbatim | undefined): Session
  /** Opens the cassette to be asked its own words, where the options allow that and there is one. */
  verbatim?(config: ResolvedConfig): Verbatim | undefined
}

/** One attempt of one test, or a file outside of its tests. Most never ask a model, and open nothing. */
export class TestScope {
  #config: ResolvedConfig
  readonly #opening: ScopeOpening
  /** `null` where there can be none. */
  #verbatim?: Verbatim | null
  #session?: Session
  /** The number of the last request that still counts. */
  #endsAt = Infinity

  /** @param config what holds until the test has options of its own */
  constructor(config: ResolvedConfig, opening: ScopeOpening) {
    this.#config = config
    this.#opening = opening
  }

  /** The session; opened by the first who asks for it, and all that is asked from then on is asked of it. */
  get session(): Session {
    if (this.#session) return this.#session
    this.#session = this.#opening.session(this.#config, this.#verbatim ?? undefined)
    this.#session.late.end(this.#endsAt)
    return this.#session
  }

  /** What answers a request as long as no session is needed; `undefined` where one is. */
  verbatimAt(order: number): Verbatim | undefined {
    if (this.#session || order > this.#endsAt) return undefined
    this.#verbatim ??= this.#opening.verbatim?.(this.#config) ?? null
    return this.#verbatim ?? undefined
  }

  /** True when something was asked. */
  get wasAsked(): boolean {
    return this.#session?.wasAsked ?? (this.#verbatim?.asked ?? []).length > 0
  }

  /** What was asked, where that was all that is recorded, word for word. */
  get whole(): Verbatim | undefined {
    return !this.#session && this.#verbatim?.isWhole ? this.#verbatim : undefined
  }

  get config(): ResolvedConfig {
    return this.#session?.config ?? this.#config
  }

  /**
   * Changes options for this attempt alone; they have been checked.
   *
   * @throws CassetteError as {@link Session.configure} does.
   */
  configure(options: TestOptions, environment: Environment): void {
    const isOpen = this.#session || this.#verbatim || this.#endsAt < Infinity
    if (isOpen) this.session.configure(options, environment)
    else this.#config = resolveConfig({ ...this.#config, ...options }, environment)
  }

  /** Makes what was refused the failure of this attempt. */
  reject(error: CassetteError): void {
    this.session.reject(error)
  }

  /** Whether an answer of this scope leads to an address. */
  leadsTo(url: string): boolean {
    return (this.#session ?? this.#verbatim)?.leads.to(url) !== undefined
  }

  /** The test has ended: requests that are created after this one come too late. */
  end(order: number): void {
    this.#endsAt = Math.min(this.#endsAt, order)
    this.#session?.late.end(order)
  }

  /** The verdict has been given: every request comes too late. */
  close(): void {
    this.end(-1)
  }
}

interface Scopes {
  storage: AsyncLocalStorage<Scope>
  /** That of the file whose tests are running; a worker runs one file at a time. */
  ofFile?: TestScope
}

const scopes = shared<Scopes>('scopes', () => ({ storage: new AsyncLocalStorage() }))

/** Runs a function inside a scope; what it starts, however late, stays in it. */
export function runInScope<Result>(scope: Scope, run: () => Result): Result {
  return scopes.storage.run(scope, run)
}

/** Makes a scope the owner of requests that no test made: module level, hooks of the file. */
export function setFileScope(scope: TestScope | undefined): void {
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

/** The configuration of a scope. */
export function configOf(scope: Scope | undefined, ofFile: ResolvedConfig): ResolvedConfig {
  return typeof scope === 'object' ? scope.config : ofFile
}

/**
 * Whose code is running: the scope of a test, `file` in hooks that run once, or nothing while a file
 * is being imported.
 */
export function runningTest(): TestScope | 'file' | undefined {
  const scope = scopes.storage.getStore()
  if (typeof scope !== 'object') return undefined
  return scope === scopes.ofFile ? 'file' : scope
}
