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

/** Listens to diagnostics channels, each by its name. Returns a function that ends this. */
export function listenTo(listeners: Record<string, (message: never) => void>): () => void {
  const entries = Object.entries(listeners) as Array<[string, (message: unknown) => void]>
  for (const [channel, listener] of entries) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener)
  }
}
