import { loadLater } from '../../../real/load-later.ts'
import type { matchers } from './matchers.ts'

type Matchers = typeof matchers

const loadMatchers = loadLater('./matchers.mjs', () => import('./matchers.ts'))

type Matcher = (this: unknown, ...args: unknown[]) => ReturnType<Matchers[keyof Matchers]>

const names = [
  'toHaveAsked',
  'toHaveCalledTool',
  'toHaveTakenAtMost',
  'toHaveTurns',
] as const satisfies ReadonlyArray<keyof Matchers>

/** The matchers, which are loaded by the first assertion that uses one. */
export const lateMatchers = Object.fromEntries(names.map((name) => [name, late(name)])) as Matchers

function late(name: keyof Matchers): Matcher {
  return function (this: unknown, ...args) {
    return Reflect.apply(loadMatchers().matchers[name], this, args) as ReturnType<Matcher>
  }
}
