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

/** Listens to channels with what is made at the first message. Returns a function that ends this. */
export function listenLater(channels: readonly string[], make: () => Listeners[]): () => void {
  let made: Listeners[] | undefined
  const listen = (message: unknown, channel: string | symbol): void => {
    made ??= make()
    for (const listeners of made) listeners[String(channel)]?.(message as never)
  }
  for (const channel of channels) subscribe(channel, listen)
  return () => {
    for (const channel of channels) unsubscribe(channel, listen)
  }
}

/** Listens to diagnostics channels, each by its name. Returns a function that ends this. */
export function listenTo(listeners: Listeners): () => void {
  const entries = Object.entries(listeners) as Array<[string, (message: unknown) => void]>
  for (const [channel, listener] of entries) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener)
  }
}
