import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** A request in the messages of undici, also of Node's own copy. */
export interface UndiciRequest {
  method: string
  origin?: string | URL
  path: string
  headers: unknown
  /** The protocol to which it upgrades. */
  upgrade?: string | null
  addHeader(name: string, value: string): void
  abort?(reason: Error): void
}

/** What listens to diagnostics channels, each by its name. */
export type Listeners = Record<string, (message: never) => void>

/** The channels of requests to which their listeners listen. */
export const REQUEST_CHANNELS = [
  'undici:request:create',
  'undici:request:error',
  'http.client.request.created',
  'http.server.request.start',
] as const

/** The channels that tell which connections are idle. */
export const CONNECTION_CHANNELS = [
  'undici:client:sendHeaders',
  'undici:request:trailers',
  'undici:request:error',
  'undici:request:create',
] as const

/** Listens to channels with what is made at the first message. Returns a function that ends this. */
export function listenLater<Channel extends string>(
  channels: readonly Channel[],
  make: () => Record<Channel, (message: never) => void>,
): () => void {
  let made: ReturnType<typeof make> | undefined
  const hear = (channel: Channel) => (message: never) => (made ??= make())[channel](message)
  return listenTo(Object.fromEntries(channels.map((channel) => [channel, hear(channel)])))
}

/** Listens to diagnostics channels, each by its name. Returns a function that ends this. */
export function listenTo(listeners: Listeners): () => void {
  const entries = Object.entries(listeners) as Array<[string, (message: unknown) => void]>
  for (const [channel, listener] of entries) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener)
  }
}
