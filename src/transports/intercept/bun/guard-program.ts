// Loaded by `--preload` into the programs of Bun that tests start; a file of its own. What their fetch asks goes to the
// gateway by the variables of their environment.
import { requireFrom } from '../../../real/load-later.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { hostToDial } from '../patch/dial.ts'
import type { GuardPolicy, JudgeConnection } from '../guard/guard-policy.ts'
import { GUARD_VARIABLE } from '../guard/guard-variable.ts'
import { addressOfRequest, isRequestOptions } from './request-arguments.ts'
import { guardBunChildren } from './bun-children.ts'
import { guardBunSockets } from './native-clients.ts'
import { guardOwnSockets } from './web-sockets.ts'

const given = process.env[GUARD_VARIABLE]
if (process.versions.bun !== undefined && given) guard(JSON.parse(given) as GuardPolicy)

/** Refuses what takes no proxy, where it leads to a provider: it could be neither recorded nor replayed. */
function guard(policy: GuardPolicy): void {
  const { rulesOfProgram } = requireFrom(policy.file)(
    './program-rules.cjs',
  ) as typeof import('../guard/program-rules.ts')
  const { judge, children } = rulesOfProgram(policy)
  guardBunSockets(judge)
  guardRequests(judge)
  guardWebSockets(judge)
  guardBunChildren(() => children)
}

type Send = (...args: unknown[]) => unknown

/** Older releases of Bun send these past the sockets of `node:net`. */
function guardRequests(judge: JudgeConnection): void {
  for (const name of ['node:http', 'node:https'] as const)
    for (const way of ['request', 'get'])
      replaceOnce(builtin(name) as unknown as Record<string, Send>, way, (send) => (...args) => {
        const address = addressOfRequest(
          args[0],
          args.find(isRequestOptions) ?? {},
          name.slice(5) + ':',
        )
        const error = refusalAt(address, 'node:http', judge)
        if (error) throw error
        return send(...args)
      })
}

function guardWebSockets(judge: JudgeConnection): void {
  const refuse = (address: string): void => {
    const url = URL.parse(address.replace(/^ws/, 'http'))
    const error = url && refusalAt(url, 'WebSocket', judge)
    if (error) throw error
  }
  guardOwnSockets(refuse)
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct(target, args: [string | URL], newTarget) {
      refuse(String(args[0]))
      return Reflect.construct(target, args, newTarget) as object
    },
  })
}

function refusalAt(address: URL, transport: string, judge: JudgeConnection): Error | undefined {
  const port = Number(address.port) || (address.protocol === 'http:' ? 80 : 443)
  return judge({ host: hostToDial(address), port, transport })
}
