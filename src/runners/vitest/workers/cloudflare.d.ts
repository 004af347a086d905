// What the set-up file needs of workerd and of the pool, whose types clash with those of Node.

declare module 'cloudflare:test-internal' {
  /** Resolves when all that handlers gave to `waitUntil()` is settled. */
  export function waitForGlobalWaitUntil(): Promise<void>
}

declare module 'cloudflare:workers' {
  /** The bindings of the Worker, the same object that its handlers get. */
  export const env: Record<string, any>
}
