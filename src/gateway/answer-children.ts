import { sendsNothing } from '../config/mode.ts'
import type { Attempt } from '../host/attempt.ts'
import type { Layers } from '../intercept/answer/layers.ts'
import { loadLater } from '../intercept/patch/load-later.ts'
import type { Gateways, Redirection } from '../intercept/redirect/environment.ts'

const loadGateway = loadLater('./gateway.mjs', () => import('./gateway-layer.ts'))

/** Answers the children of attempts with one gateway, which opens when the first of them is started. */
export function answerChildren(layers: Layers): Gateways {
  let gateway: InstanceType<ReturnType<typeof loadGateway>['Gateway']> | undefined
  const bases = new WeakMap<Attempt, string>()
  return {
    for(attempt, started): Redirection | undefined {
      gateway ??= new (loadGateway().Gateway)({ layers, isBackground: true })
      // It says why when the child is refused for it.
      if (gateway.origin === undefined) return undefined
      const { keys, mode } = attempt.config
      const lendsKeys = keys && sendsNothing(mode)
      if (started)
        return { base: gateway.admit(attempt, started), authority: gateway.authority, lendsKeys }
      const base = bases.get(attempt) ?? gateway.admit(attempt)
      bases.set(attempt, base)
      return { base, lendsKeys }
    },
    close() {
      void gateway?.close()
      gateway = undefined
    },
  }
}
