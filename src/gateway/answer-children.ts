import { sendsNothing } from '../config/mode.ts'
import type { Attempt } from '../host/attempt.ts'
import type { Layers } from '../intercept/answer/layers.ts'
import { loadLater } from '../intercept/patch/load-later.ts'
import type { Gateways, Redirection } from '../intercept/redirect/environment.ts'
import type { Gateway } from './gateway.ts'

const loadGateway = loadLater('./gateway.mjs', () => import('./gateway-layer.ts'))

/**
 * Answers the children of attempts with one gateway, which opens when the first of them is started.
 *
 * @param opened one that is open already
 */
export function answerChildren(layers: Layers, opened?: Gateway): Gateways {
  let gateway = opened
  const bases = new WeakMap<Attempt, string>()
  return {
    for(attempt): Redirection | undefined {
      gateway ??= new (loadGateway().Gateway)({ layers, isBackground: true })
      // It says why when the child is refused for it.
      if (gateway.origin === undefined) return undefined
      const base = bases.get(attempt) ?? gateway.admit(attempt)
      bases.set(attempt, base)
      const { keys, mode } = attempt.config
      return { base, lendsKeys: keys && sendsNothing(mode) }
    },
    close() {
      void gateway?.close()
      gateway = undefined
    },
  }
}
