import { captureCallSite, stackLines } from '../errors.ts'
import { KEY_NAMES, STAND_IN_KEY, standInKey, TWICE } from '../providers/stand-in-keys.ts'
import { builtin } from '../real/builtin.ts'
import { environments } from '../real/own-environment.ts'
import { shared } from '../real/shared.ts'
import { type Borrower, type HasEnvironment, type Lender, lending } from './lending.ts'

export { isKeyName } from '../providers/stand-in-keys.ts'

type Environment = NodeJS.ProcessEnv

/** What code has read. */
const { asked, left } = shared('asked-keys', () => ({
  /** The keys for which it has asked since it last listed an environment. */
  asked: new Set<string>(),
  /** Those keys of the last list that its reader has left out, as a destructuring with a rest does. */
  left: new Set<string>(),
}))

/** The key that the code that reads a variable now finds: one that is set, or lent. Called by the trap of a proxy. */
export function lentKey(name: string, borrower: Borrower): string | undefined {
  const { env, original } = borrower
  if (original && name in env && !isStandIn(name, env, env[name])) return env[name]
  const { lender } = lending
  asked.add(name)
  if (!lender?.isOpen() || !lends(borrower, name)) return undefined
  const isPackage = isReadByPackage()
  const borrows = isPackage ? name !== TWICE : lender.isRecorded()
  return borrows ? standInFor(name, borrower, lender) : undefined
}

/** Sets a key as a test does. */
export function setKey(name: string, value: string, { env, refused, original }: Borrower): boolean {
  if (isStandIn(name, env, value)) {
    refused.delete(name)
    // `vi.unstubAllEnvs()` sets a lent key again. The variable was unset before, so unset it.
    if (!original) return delete env[name]
  }
  env[name] = value
  return true
}

/** The names in an environment, including the lent keys that this test can read. */
export function keysIn(borrower: Borrower, lender: Lender): Array<string | symbol> {
  const own = Reflect.ownKeys(borrower.env)
  left.clear()
  const lent = lender.isRecorded()
    ? KEY_NAMES.filter((name) => visibleKey(name, borrower, lender) !== undefined)
    : asked
  for (const name of lent) left.add(name)
  asked.clear()
  return [...new Set([...own, ...left])]
}

/** Describes the variable of a key to code that lists an environment, or asks for this one. */
export function describeKey(name: string, borrower: Borrower): PropertyDescriptor | undefined {
  const { lender } = lending
  const isListed = left.delete(name)
  const { env } = borrower
  const own = Reflect.getOwnPropertyDescriptor(env, name)
  if (own && !(borrower.original && isStandIn(name, env, own.value))) return own
  if (!lender?.isOpen() || !lender.isRecorded()) return undefined
  // A package that fills in what is not set, as dotenv does, finds the keys of the user's file missing.
  if (!isListed && isReadByPackage()) return undefined
  const value = visibleKey(name, borrower, lender)
  return value === undefined
    ? undefined
    : { value, configurable: true, enumerable: true, writable: true }
}

/**
 * Puts an environment back as it was, if no test has put another one there since.
 *
 * @param get what reads it, where it follows those that tests put in its place
 */
export function endLending(target: HasEnvironment, lent: Environment, get?: () => unknown): void {
  const now = Object.getOwnPropertyDescriptor(target, 'env')
  if (get ? now?.get !== get : target.env !== lent) return
  const value = environments.get(lent) ?? lent
  const usual = { configurable: true, enumerable: true, writable: true }
  Object.defineProperty(target, 'env', { ...usual, value })
  if (get) builtin('node:module').syncBuiltinESMExports()
}

/** Whether a value is what is lent for a variable, rather than one of the user. */
function isStandIn(name: string, env: Environment, value: unknown): boolean {
  if (value === STAND_IN_KEY) return true
  return value === standInKey(name, { ...env, [name]: undefined }, () => true)
}

/** Lends in the environment that a test puts in the place of `process.env`. */
export function lendInNext(
  next: Environment,
  lendIn: (next: Borrower) => Environment,
): Environment {
  const isObject = typeof next === 'object' && next !== null
  // It lends already, or nothing can be lent there.
  if (!isObject || environments.has(next) || !Object.isExtensible(next)) return next
  const known = replaced.get(next)
  if (known) return known
  const original = Object.keys(lending.own?.env ?? {})
  const refused = new Set([...left].filter((name) => !(name in next)))
  const lent = lendIn({ env: next, refused, original })
  replaced.set(next, lent)
  return lent
}

/** The environments that tests have put in the place of `process.env`, with those that lend in their place. */
const replaced = new WeakMap<Environment, Environment>()

/**
 * Whether an environment lends a key that is not set there. One that a test has made lends what it has copied, as it would
 * have with a key that is set: nothing, if it began empty, and not the key that the test has taken out.
 */
function lends({ env, refused, original }: Borrower, name: string): boolean {
  if (!original) return !refused.has(name)
  if (isStandIn(name, env, env[name])) return true
  if (refused.has(name) || Object.values(env).includes(STAND_IN_KEY)) return false
  // Copied where no code could see the keys.
  return original.filter((one) => one in env).length * 2 > original.length
}

/** The key that the code of a test with a recording reads. */
function visibleKey(name: string, borrower: Borrower, lender: Lender): string | undefined {
  return lends(borrower, name) ? standInFor(name, borrower, lender) : undefined
}

function standInFor(name: string, { env, original }: Borrower, lender: Lender): string | undefined {
  const set = Object.entries(env).filter(([one, value]) => one !== name && value !== STAND_IN_KEY)
  const own = original ? Object.fromEntries(set) : env
  return standInKey(name, own, () => lender.isRecorded())
}

/** The frames between the trap of a proxy and the code that reads: those of Node, and of `import.meta.env`. */
const BETWEEN =
  /\(<anonymous>\)$|\(node:internal|^\s+at Object\.get .*[\\/](?:vitest|vite-node)[\\/]dist[\\/]/

/** True when the code that reads the variable is an installed package. */
function isReadByPackage(): boolean {
  // The first four frames are `captureCallSite`, this function, the one above it, and the trap of the proxy.
  const [, , , , ...readers] = stackLines(captureCallSite('read here', 9))
  const reader = readers.find((frame) => !BETWEEN.test(frame)) ?? ''
  return /[\\/]node_modules[\\/]/.test(reader)
}
