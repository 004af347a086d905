import { loadLater } from '../real/load-later.ts'
import { shared } from '../real/shared.ts'
import { failing } from '../transports/scope.ts'

/** Loaded for a variable that is not set, and that looks like a key: it has the names of all providers. */
const keys = failing(loadLater('./keys.mjs', () => import('./lent-key.ts')))

/** Decides whether a key is lent now. */
export interface Lender {
  /** Whether keys are lent when this begins: one that is empty then counts as unset. */
  beginsOpen: boolean
  /** Whether keys are lent at all. */
  isOpen(): boolean
  /** Whether the test that runs has a recording, and so asks a provider. */
  isRecorded(): boolean
}

/** What has an environment: this process, or what a runner gives its tests in its place. */
export interface HasEnvironment {
  env: NodeJS.ProcessEnv
}

/** What is lent now. */
export interface Lending {
  lender?: Lender
  /** The keys that tests have deleted. */
  refused?: Set<string>
  /** Puts the environment back as it was. */
  end?: () => void
}

/** Shared by all copies of this package. */
export const lending = shared('lent-keys', Object) as Lending

/**
 * Lends harmless keys to SDKs that refuse to start without one. The environment itself stays unchanged: only
 * packages in `node_modules`, such as SDKs, and tests with a recording can read a key that is not set. To the
 * code of any other test it stays unset, and once a test has deleted it, to all code. Lasts until `lending.end`.
 */
export function lendKeys(lender: Lender, target: HasEnvironment = process): void {
  const { lender: known } = lending
  lending.lender = lender
  lending.refused = new Set()
  if (known) return
  const { env: own } = target
  const empty: string[] = []
  // An empty key that a test sets stays empty.
  if (lender.beginsOpen)
    for (const name of Object.keys(own))
      if (own[name] === '' && isLendable(name) && delete own[name]) empty.push(name)
  const lent = new Proxy(own, {
    get(env, name) {
      const isThere = name in env || !isLendable(name)
      // Not in tail position: Bun would leave this frame out of the stack, in which the reader is found.
      return isThere ? env[name as string] : (keys().lentKey(name, env, lending) ?? undefined)
    },
    has(env, name) {
      return name in env || (isLendable(name) && keys().lentKey(name, env, lending) !== undefined)
    },
    set(env, name, value) {
      // Code that restores the lent key, as `vi.unstubAllEnvs()` does, restores an unset variable.
      if (isLendable(name) && keys().isStandIn(name, env, value)) {
        lending.refused?.delete(name)
        return delete env[name]
      }
      env[name as string] = value as string
      return true
    },
    deleteProperty(env, name) {
      if (isLendable(name)) lending.refused?.add(name)
      return delete env[name as string]
    },
  })
  target.env = lent
  lending.end = () => {
    lending.lender = lending.end = undefined
    for (const name of empty) own[name] ??= ''
    // A test can have put another one in its place.
    if (target.env === lent) target.env = own
  }
}

/** What the names of all keys have in common. */
export const LIKE_A_KEY = /_(?:KEY|TOKEN)$|^AWS_/

/** Whether a variable may get a stand-in. */
export function isLendable(name: PropertyKey): name is string {
  return typeof name === 'string' && LIKE_A_KEY.test(name) && keys().isKeyName(name)
}
