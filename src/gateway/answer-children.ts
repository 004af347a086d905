import { sendsNothing } from '../config/mode.ts'
import type { Attempt } from '../host/attempt.ts'
import type { Layers } from '../intercept/answer/layers.ts'
import { loadLater } from '../real/load-later.ts'
import type { Gateways, Redirection } from '../intercept/redirect/redirection.ts'
import type { Gateway } from './gateway.ts'

const loadGateway = loadLater('./gateway.mjs', () => import('./gateway.ts'))

/** Opens a gateway. Warns where no port can be opened. */
function openGateway(layers: Layers): Gateway {
  const gateway = new (loadGateway().Gateway)({ layers, isBackground: true })
  gateway.ready.catch(({ message }: Error) => console.warn(`[vitest-cassette] ${message}`))
  return gateway
}

/**
 * Answers the children of attempts with one gateway, which opens when the first of them starts.
 *
 * @param opened a gateway that is open already
 */
export function answerChildren(layers: Layers, opened?: Gateway): Gateways {
  let gateway = opened
  const bases = new WeakMap<Attempt, string>()
  return {
    for(attempt, started): Redirection | undefined {
      gateway ??= openGateway(layers)
      // Without a port, the guard of the child refuses its requests, with the reason.
      if (gateway.origin === undefined) return undefined
      const { keys, mode } = attempt.config
      const lendsKeys = keys && sendsNothing(mode)
      if (started)
        return {
          base: gateway.admit(attempt, undefined, started),
          authority: gateway.authority,
          lendsKeys,
        }
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
