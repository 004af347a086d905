import { captureCallSite, stackLines } from '../../../errors.ts'
import { shared } from '../../../real/shared.ts'
import { layers } from '../../../transports/layers.ts'
import { routeStubs } from './worker-state.ts'

/** Decides whether a key is lent now. */
export interface Lender {
  /** Whether keys are lent at all. */
  isOpen(): boolean
  /** Whether the test that runs has a recording, and so asks a provider. */
  isRecorded(): boolean
}

/** Shared by all copies of this package. */
const lending = shared<{
  lender?: Lender
  /** The keys that tests have deleted. */
  refused: Set<string>
}>('lent-keys', () => ({ refused: new Set() }))

/**
 * Lends harmless keys to SDKs that refuse to start without one. The environment itself stays unchanged: only
 * packages in `node_modules`, such as SDKs, and tests with a recording can read a key that is not set. To the
 * code of any other test it stays unset, and once a test has deleted it, to all code.
 */
export function lendKeys(lender: Lender): void {
  const { lender: known } = lending
  lending.lender = lender
  lending.refused.clear()
  routeStubs(isKeyName)
  if (known) return
  // A key that was empty before the tests counts as unset. An empty key that a test sets stays empty.
  if (lender.isOpen())
    for (const name of Object.keys(process.env))
      if (process.env[name] === '' && isKeyName(name)) delete process.env[name]
  process.env = new Proxy(process.env, {
    get(env, name) {
      return name in env || !isKeyName(name) ? env[name as string] : borrow(name, env)
    },
    has(env, name) {
      return name in env || (isKeyName(name) && borrow(name, env) !== undefined)
    },
    set(env, name, value) {
      // Code that restores the lent key, as `vi.unstubAllEnvs()` does, restores an unset variable.
      if (
        isKeyName(name) &&
        value === layers.keys().standInKey(name, withoutName(env, name), () => true)
      ) {
        lending.refused.delete(name)
        return delete env[name]
      }
      env[name as string] = value as string
      return true
    },
    deleteProperty(env, name) {
      if (isKeyName(name)) lending.refused.add(name)
      return delete env[name as string]
    },
  })
}

/** What the names of all keys have in common. */
export const LIKE_A_KEY = /_(?:KEY|TOKEN)$|^AWS_/

/** Whether a variable may get a stand-in. The names of all providers load for one that looks like it. */
function isKeyName(name: PropertyKey): name is string {
  return typeof name === 'string' && LIKE_A_KEY.test(name) && layers.keys().isKeyName(name)
}

function borrow(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const { lender, refused } = lending
  if (!lender?.isOpen() || refused.has(name)) return undefined
  const { standInKey, TWICE } = layers.keys()
  const isPackage = isCalledByPackage()
  const borrows = isPackage ? name !== TWICE : lender.isRecorded()
  return borrows ? standInKey(name, env, () => lender.isRecorded()) : undefined
}

function withoutName(env: NodeJS.ProcessEnv, name: string): NodeJS.ProcessEnv {
  return { ...env, [name]: undefined }
}

/** True when the code that reads the variable is an installed package. */
function isCalledByPackage(): boolean {
  // The first four frames are `captureCallSite`, this function, `borrow`, and the trap of the proxy.
  const [, , , , reader = ''] = stackLines(captureCallSite('read here', 5))
  return /[\\/]node_modules[\\/]/.test(reader)
}
