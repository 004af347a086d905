import { say } from '../attempt/say.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { Layers } from './layers.ts'
import { loadLater } from '../real/load-later.ts'
import type { Gateways, Redirection } from './child-environment.ts'
import type { Gateway } from './gateway.ts'

const loadGateway = loadLater('./gateway.mjs', () => import('./gateway.ts'))

/** Opens a gateway. Warns where no port can be opened. */
function openGateway(layers: Layers): Gateway {
  const gateway = new (loadGateway().Gateway)({ layers, isBackground: true })
  gateway.ready.catch(({ message }: Error) => say(`[vitest-cassette] ${message}`))
  return gateway
}

/**
 * Answers the children of attempts with one gateway, which opens when the first of them starts.
 *
 * @param opened a gateway that is open already
 * @param waited refuses programs for which their test waits
 */
export function answerChildren(
  layers: Layers,
  { opened, waited }: { opened?: Gateway; waited?: string } = {},
): Gateways {
  let gateway = opened
  const bases = new WeakMap<Attempt, string>()
  return {
    ...(waited === undefined ? {} : { waited }),
    for(attempt, started): Redirection | undefined {
      gateway ??= openGateway(layers)
      // Without a port, the guard of the child refuses its requests, with the reason.
      if (gateway.origin === undefined) return undefined
      if (started)
        return {
          base: gateway.admit(attempt, undefined, started),
          authority: gateway.authority,
        }
      const base = bases.get(attempt) ?? gateway.admit(attempt)
      bases.set(attempt, base)
      return { base }
    },
    close() {
      void gateway?.close()
      gateway = undefined
    },
  }
}
