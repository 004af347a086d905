import type { Loaded } from './outside-of-msw.ts'

/** Whether another user of MSW is active, whose handlers may answer a request. */
export function othersIntercept(): boolean {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: isLoaded, __MSW_INTERCEPTORS_REGISTRY: registry } =
    globalThis as Loaded
  if (!registry) return isLoaded !== undefined
  const listening = Array.from(registry.values(), (source) => source.listenerCount('request'))
  return listening.some((count) => count > 0)
}
