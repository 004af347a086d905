import type { Socket } from 'node:net'
import type { Attempt } from '../../../attempt/attempt.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { answering } from '../../gateway/answering.ts'
import { pickProxies, proxies } from '../../child-environment.ts'
import type { JudgeConnection } from '../guard/guard-policy.ts'
import { refuseSocket } from '../guard/refuse-socket.ts'
import { type OwnProxies, proxyFor, PROXY_VARIABLES } from '../patch/own-proxies.ts'

/** What is used here of the global of Bun. */
interface BunGlobal {
  connect(options: { hostname?: string; port?: number }): Promise<unknown>
}

const bun = (globalThis as unknown as { Bun: BunGlobal }).Bun

/** Bun's own fetch, which takes the address of a proxy. */
const nativeFetch = globalThis.fetch as (
  input: string | URL | Request,
  init: RequestInit & { proxy?: unknown },
) => Promise<Response>

/** The environment that Bun's own clients read. */
const real = process.env

/** The proxies of the user, while the gateway is the proxy of those clients. */
let own: OwnProxies | undefined

/**
 * Leads what nobody can replace to the gateway: `Bun.fetch`, and what Bun brings along in the place of `undici` and its
 * kin. They take another way by one thing alone, the proxy of the environment. All other code sees the variables of the
 * user. Returns a function that ends this.
 */
export function openNativeWay(): () => void {
  const before: Record<string, string | undefined> = { ...pickProxies(real) }
  own = before
  const isOurs = (name: string | symbol): boolean => PROXY_VARIABLES.includes(name as string)
  process.env = new Proxy(real, {
    get: (env, name) => (isOurs(name) ? before[name as string] : Reflect.get(env, name)),
    set(env, name, value) {
      if (!isOurs(name)) return Reflect.set(env, name, value)
      before[name as string] = String(value)
      return true
    },
    deleteProperty: (env, name) =>
      isOurs(name) ? delete before[name as string] : Reflect.deleteProperty(env, name),
    has: (env, name) => (isOurs(name) ? name in before : name in env),
    ownKeys: (env) => Reflect.ownKeys(env).filter((name) => !isOurs(name) || name in before),
  })
  return () => {
    own = undefined
    process.env = real
    setVariables(Object.fromEntries(PROXY_VARIABLES.map((name) => [name, before[name]])))
  }
}

/** Names the attempt for which they ask from now on, as they tell none themselves. */
export function leadNative(attempt: Attempt): void {
  const base = own && answering.gateways?.for(attempt)?.base
  // They would ask what NO_PROXY names by themselves, such as this machine.
  if (own && base !== undefined) setVariables({ ...proxies(own, base), NO_PROXY: '', no_proxy: '' })
}

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete real[name]
    else real[name] = value
}

/** Fetches past the gateway, through the proxies of the user. */
export const fetchPastGateway = ((input, init) => {
  const address = URL.parse(input instanceof Request ? input.url : String(input))
  const proxy = (address && own && proxyFor(address, own)?.href) ?? false
  return nativeFetch(input, { proxy, ...init })
}) as typeof globalThis.fetch

/** Guards the sockets of `node:net`, and those that Bun opens by a function of its own. Returns what ends this. */
export function guardBunSockets(judge: JudgeConnection): () => void {
  const undo = [
    replaceOnce(
      builtin('node:net').Socket.prototype,
      'connect',
      (connect) =>
        function (this: Socket, ...args: unknown[]) {
          return Reflect.apply(connect, this, refuseSocket(this, args, judge) ?? args)
        } as typeof connect,
    ),
    replaceOnce(bun, 'connect', (connect) => (options) => {
      const { hostname: host, port } = options
      const error =
        host !== undefined && port !== undefined && judge({ host, port, transport: 'Bun.connect' })
      return error ? Promise.reject(error) : connect.call(bun, options)
    }),
  ]
  return () => undo.forEach((end) => end())
}
