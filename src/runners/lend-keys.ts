import { builtin } from '../real/builtin.ts'
import { loadLater } from '../real/load-later.ts'
import { environments } from '../real/own-environment.ts'
import { keepGlobals, world } from '../real/real-world.ts'
import { shared } from '../real/shared.ts'
import { failing } from '../transports/scope.ts'
import { type Borrower, type HasEnvironment, type Lender, lending } from './lending.ts'

/** Loaded for a variable that is not set, and that looks like a key: it has the names of all providers. */
const load = failing(loadLater('./keys.mjs', () => import('./lent-key.ts')))

/** Loaded by the copy that lends now: a context of a vm pool loads nothing once it has ended. */
const keys: typeof load = () => (copy.load ?? load)()
const copy: { load?: typeof load } = shared('lends')

/**
 * Lends harmless keys to SDKs that refuse to start without one. The environment itself stays unchanged: only
 * packages in `node_modules`, such as SDKs, and tests with a recording can read a key that is not set. To the
 * code of any other test it stays unset, and once a test has deleted it, to all code. An environment that a test makes of
 * this one lends too. Lasts until `lending.end`.
 */
export function lendKeys(lender: Lender, target: HasEnvironment = process): void {
  const { lender: known } = lending
  lending.lender = lender
  copy.load = load
  lending.own?.refused.clear()
  const { structuredClone } = globalThis
  // Lets the environment be cloned, as that of Node can be and a proxy cannot. Each context of a vm pool has its own.
  if (target === process && !(CLONES in structuredClone)) {
    const clone: typeof structuredClone = (value, options) =>
      structuredClone(environments.has(value as object) ? { ...value } : value, options)
    globalThis.structuredClone = Object.assign(clone, { [CLONES]: true })
    keepGlobals()
  }
  if (known) return
  const { env: own } = target
  const empty: string[] = []
  // An empty key that a test sets stays empty.
  if (lender.beginsOpen)
    for (const name of Object.keys(own))
      if (own[name] === '' && isLendable(name) && delete own[name]) empty.push(name)
  let current = lendIn((lending.own = { env: own, refused: new Set() }))
  // What Jest gives its tests has to stay a plain property for `jest.replaceProperty()`, and Bun's is its own.
  const isPlain = target !== process || process.versions.bun !== undefined
  // Lends in each environment that a test puts in the place of this one.
  const get = (): NodeJS.ProcessEnv => current
  const set = (next: NodeJS.ProcessEnv): void => void (current = keys().lendInNext(next, lendIn))
  Object.defineProperty(target, 'env', {
    ...(isPlain ? { value: current, writable: true } : { get, set }),
    configurable: true,
    enumerable: true,
  })
  // Who imports it by name has the one that was there when Node last looked.
  if (!isPlain) builtin('node:module').syncBuiltinESMExports()
  lending.end = () => {
    lending.lender = lending.own = lending.end = undefined
    for (const name of empty) own[name] ??= ''
    keys().endLending(target, current, isPlain ? undefined : get)
  }
}

const CLONES = Symbol.for('vitest-cassette.clones-environments')

function lendIn(borrower: Borrower): NodeJS.ProcessEnv {
  const lent = new Proxy(borrower.env, {
    get(env, name) {
      // In an environment that a test has made, a key that is set can be one that was lent.
      const isSure = (name in env && !borrower.original) || !isLendable(name)
      // Not in tail position: Bun would leave this frame out of the stack, in which the reader is found.
      return isSure ? env[name as string] : (keys().lentKey(name, borrower) ?? undefined)
    },
    has: (env, name) =>
      isLendable(name)
        ? (name in env && !borrower.original) || keys().lentKey(name, borrower) !== undefined
        : name in env,
    set: (env, name, value) =>
      isLendable(name) ? keys().setKey(name, value, borrower) : Reflect.set(env, name, value),
    deleteProperty(env, name) {
      if (isLendable(name)) borrower.refused.add(name)
      return delete env[name as string]
    },
    ownKeys: (env) =>
      !world.replaced && lending.lender?.isOpen()
        ? keys().keysIn(borrower, lending.lender)
        : Reflect.ownKeys(env),
    getOwnPropertyDescriptor: (env, name) =>
      !world.replaced && isLendable(name)
        ? keys().describeKey(name, borrower)
        : Reflect.getOwnPropertyDescriptor(env, name),
  })
  environments.set(lent, borrower.env)
  return lent
}

/** What the names of all keys have in common. */
export const LIKE_A_KEY = /_(?:KEY|TOKEN)$|^AWS_/

/** Whether a variable may get a stand-in. */
export function isLendable(name: PropertyKey): name is string {
  return typeof name === 'string' && LIKE_A_KEY.test(name) && keys().isKeyName(name)
}
