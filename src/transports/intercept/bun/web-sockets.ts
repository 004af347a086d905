import { addressOfCaught } from '../../address.ts'

type SocketClass = new (address: string | URL, ...more: any[]) => object

/** Where a socket to a model goes. */
export interface SocketWay {
  isLlmSocket(url: URL): boolean
  /** The base at the gateway for the code that runs. */
  base(): string
}

/** The class of a WebSocket whose conversations with models go to the gateway. */
export function ledToGateway<Class extends SocketClass>(
  Native: Class,
  { isLlmSocket, base }: SocketWay,
): Class {
  return new Proxy(Native, {
    construct(target, [address, ...more]: [string | URL, ...unknown[]], newTarget) {
      const url = URL.parse(String(address).replace(/^ws/, 'http'))
      const led = url && isLlmSocket(url) ? addressOfCaught(base(), url.href) : undefined
      const to = led?.replace(/^http/, 'ws') ?? address
      return Reflect.construct(target, [to, ...more], newTarget) as object
    },
  })
}
