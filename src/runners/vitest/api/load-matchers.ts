import { loadLater } from '../../../real/load-later.ts'
import type { matchers } from './matchers.ts'

type Matchers = typeof matchers

const loadMatchers = loadLater('./matchers.mjs', () => import('./matchers.ts'))

const names = [
  'toHaveAsked',
  'toHaveCalledTool',
  'toHaveTakenAtMost',
  'toHaveTurns',
] as const satisfies ReadonlyArray<keyof Matchers>

/** The matchers, which are loaded by the first assertion that uses one. */
export const lateMatchers = Object.fromEntries(
  names.map((name) => [
    name,
    function (this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(loadMatchers().matchers[name], this, args)
    },
  ]),
) as unknown as Matchers
