import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { builtin } from '../../../real/builtin.ts'
import { dialHost, hostToDial, nameToVerify } from './dial.ts'
import { outsideOfMsw } from './outside-of-msw.ts'
import { shared } from '../../../real/shared.ts'

/** The proxy variables of the environment, as the user has set them. */
export type OwnProxies = Readonly<Record<string, string | undefined>>

/** The names of the proxy variables, with those of the exceptions. */
export const PROXY_VARIABLES: readonly string[] = ['HTTPS', 'HTTP', 'ALL', 'NO'].flatMap((kind) => [
  `${kind}_PROXY`,
  `${kind.toLowerCase()}_proxy`,
])

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\..*|0\.0\.0\.0|::1?)$/

/** Milliseconds to wait for a proxy. */
const PATIENCE = 10_000

const current = shared('own-proxies', () => ({ storage: new AsyncLocalStorage<OwnProxies>() }))

/** Runs a function whose requests go through the proxies of the user, as those of the program would have gone. */
export function runThrough<Result>(own: OwnProxies, run: () => Result): Result {
  return current.storage.run(own, run)
}

/** The proxies through which to send; `undefined` where none are set. */
export function ownProxiesHere(): OwnProxies | undefined {
  const own = current.storage.getStore()
  const isNamed = own && PROXY_VARIABLES.some((name) => !/^no_/i.test(name) && own[name])
  return isNamed ? own : undefined
}

/** Whether an address is one of this machine to which another process sends: none of them would take a proxy there. */
export function isBesideProxies(url: string): boolean {
  return current.storage.getStore() !== undefined && LOOPBACK.test(hostOf(new URL(url)))
}

/** The proxy for an address; `undefined` for a direct connection. */
export function proxyFor(address: URL, own: OwnProxies): URL | undefined {
  const kind = isSecure(address) ? 'https' : 'http'
  // Where both cases are set, programs read the lower case first.
  const named = (name: string): string | undefined => own[name] || own[name.toUpperCase()]
  const proxy = named(`${kind}_proxy`) ?? named('all_proxy')
  if (!proxy || isPast(address, named('no_proxy') ?? '')) return undefined
  return URL.parse(/^[\w+.-]+:\/\//.test(proxy) ? proxy : `http://${proxy}`) ?? undefined
}

/** Whether NO_PROXY lists an address, as curl, Go and Python read it. */
function isPast(address: URL, list: string): boolean {
  const host = hostOf(address)
  if (LOOPBACK.test(host)) return true
  const ownPort = portOf(address)
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    if (entry.includes('/')) return isInNetwork(host, entry)
    // An address of IPv6 has its port behind brackets.
    const [, inBrackets, name = inBrackets ?? entry, at = ownPort] =
      /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
    const bare = name.replace(/^\*?\./, '').toLowerCase()
    return bare !== '' && at === ownPort && (host === bare || host.endsWith(`.${bare}`))
  })
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:'
}

function portOf(address: URL): string {
  return address.port || (isSecure(address) ? '443' : '80')
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '')
}

function isInNetwork(host: string, network: string): boolean {
  const { BlockList, isIP } = builtin('node:net')
  const [address = '', bits = ''] = network.split('/')
  const families = [isIP(host), isIP(address)]
  if (families[0] === 0 || families[0] !== families[1] || !/^\d{1,3}$/.test(bits)) return false
  const family = families[0] === 6 ? 'ipv6' : 'ipv4'
  if (Number(bits) > (family === 'ipv6' ? 128 : 32)) return false
  const networks = new BlockList()
  networks.addSubnet(address, Number(bits), family)
  return networks.check(host, family)
}

/** The header that authenticates the user at a proxy. */
export function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

/** Opens a connection to a proxy. @throws Error for a kind of proxy that is not known here. */
export function connectTo(proxy: URL): Socket {
  const { protocol, hostname } = proxy
  if (protocol === 'http:') return dialHost(proxy, 80)
  if (protocol !== 'https:')
    throw new Error(`the proxy ${protocol}//${hostname} is neither http: nor https:`)
  const host = hostToDial(proxy)
  const to = { host, port: Number(proxy.port) || 443, servername: nameToVerify(host) }
  return outsideOfMsw(() => builtin('node:tls').connect({ ...to, ALPNProtocols: ['http/1.1'] }))
}

/** Opens a tunnel to the host of an address through its proxy; `undefined` for a direct connection. */
export function openTunnelFor(address: URL, own: OwnProxies): Promise<Socket> | undefined {
  const proxy = proxyFor(address, own)
  return proxy && openThrough(proxy, `${address.hostname}:${portOf(address)}`)
}

function openThrough(proxy: URL, authority: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(proxy)
    const fields = { host: authority, ...authorization(proxy) }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    let head = Buffer.alloc(0)
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    const end = (): void => fail(new Error(`the proxy ${proxy.host} closed the connection`))
    const late = (): void => fail(new Error(`the proxy ${proxy.host} did not answer in time`))
    const read = (): void => {
      for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null);) {
        head = Buffer.concat([head, chunk])
        const at = head.indexOf('\r\n\r\n')
        if (at < 0) continue
        socket.off('readable', read).off('error', fail).off('close', end).setTimeout(0)
        socket.off('timeout', late)
        const [status = ''] = head.toString('latin1').split('\r\n')
        if (!/^HTTP\/1\.[01] 2\d\d/.test(status))
          return fail(new Error(`the proxy ${proxy.host} answered: ${status}`))
        if (head.length > at + 4) socket.unshift(head.subarray(at + 4))
        return resolve(socket)
      }
    }
    socket.on('error', fail).on('close', end).on('readable', read)
    socket.setTimeout(PATIENCE).on('timeout', late)
    socket.write(`CONNECT ${authority} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}
