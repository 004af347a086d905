import { requireFrom } from '../../../real/load-later.ts'
import { addressOfCaught } from '../../address.ts'
import { socketLibrary } from '../websocket/socket-server.ts'

type SocketClass = new (address: string | URL, ...more: any[]) => object

/** Where a socket to a model goes. */
export interface SocketWay {
  isLlmSocket(url: URL): boolean
  /** The base at the gateway for the code that runs. */
  base(): string
  /** Refuses what cannot be led there, and fails the test. @throws CassetteError `refused` */
  refuse(text: string): never
}

const UNLED = 'A WebSocket of the package ws to'
const WHY_UNLED =
  'is refused: Bun has a client of its own in its place, which is neither recorded nor replayed here.\nUse the global WebSocket.'

/** Used by stand-ins, which outlast an interception. */
let current: SocketWay | undefined

/** Leads sockets to models to the gateway: those of the global class. Returns a function that ends this. */
export function openSocketWay(way: SocketWay): () => void {
  current = way
  const own = globalThis.WebSocket
  globalThis.WebSocket = ledToGateway(own)
  const endGuard = guardOwnSockets((address) => {
    if (addressIfModel(address)) way.refuse(`${UNLED} ${new URL(address).host} ${WHY_UNLED}`)
  })
  return () => {
    current = undefined
    globalThis.WebSocket = own
    endGuard()
  }
}

/** The packages in whose place Bun has clients of its own, as `bun:test` can replace them: led as the global ones are. */
export function standIns(): Array<[name: string, exports: object]> {
  const load = requireFrom(import.meta.url)
  const fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args)
  const nodeFetch: object = Object.assign(fetch.bind(undefined), load('node-fetch'))
  const sockets = socketLibrary() as object as SocketClass
  const led = ledToGateway(sockets)
  return [
    ['undici', { ...(load('undici') as object), fetch }],
    ['node-fetch', Object.assign(nodeFetch, { default: nodeFetch, fetch: nodeFetch })],
    ['ws', Object.assign(led, { default: led, WebSocket: led })],
  ]
}

function ledToGateway<Class extends SocketClass>(Native: Class): Class {
  return new Proxy(Native, {
    construct(target, [address, ...more]: [string | URL, ...unknown[]], newTarget) {
      const url = addressIfModel(address)
      const to = url ? addressOfCaught(current!.base(), url.href).replace(/^http/, 'ws') : address
      return Reflect.construct(target, [to, ...more], newTarget) as object
    },
  })
}

function addressIfModel(address: unknown): URL | undefined {
  const url = URL.parse(String(address).replace(/^ws/, 'http'))
  return url && current?.isLlmSocket(url) ? url : undefined
}

/**
 * Refuses sockets of what Bun has in the place of `ws`, which notes the address of each before it connects. Returns a
 * function that ends this.
 *
 * @param refuse throws for an address that may not be asked
 */
export function guardOwnSockets(refuse: (address: string) => void): () => void {
  const { prototype } = socketLibrary().WebSocket
  const addresses = new WeakMap<object, string>()
  Object.defineProperty(prototype, '_url', {
    configurable: true,
    get() {
      return addresses.get(this as object)
    },
    set(address: string) {
      refuse(address)
      addresses.set(this as object, address)
    },
  })
  return () => void Reflect.deleteProperty(prototype, '_url')
}
