import type { Why } from '../browser/page-commands.ts'

/** Why a request is refused that no test of a Worker, or more than one, may have made. */
export const WHY: Why = {
  several:
    'Several tests run in this Worker at the same time, and a request that goes through a handler, a Durable Object or another Worker ' +
    'does not tell which of them asks.\nLet them run one after the other, or let each test call the function that asks: import it.',
  outside:
    'Asked while a file was imported, where no test runs in this Worker yet.\nAsk in tests, or in beforeAll.',
}

/** The names of Cloudflare's plugins, whose projects run in workerd. */
export const PLUGINS: readonly string[] = [
  '@cloudflare/vitest-plugin',
  '@cloudflare/vitest-pool-workers',
]

/** The name of their pool. */
export const POOL = 'cloudflare-pool'

/** The requests by which workerd asks the process of Vitest, as the last part of their path. */
export type WorkerCommand = 'open' | 'close'

/** Why a binding of Workers AI is refused. */
export function explainBinding(name: string, method: string): string {
  return (
    `env.${name}.${method}() asks Workers AI through a binding, which is no HTTP request of the Worker: it can be neither recorded nor replayed, so it is refused.\n` +
    `Ask Workers AI over its REST API, by fetch or by an SDK, or replace the method in the test: vi.spyOn(env.${name}, '${method}'). ` +
    "cassettes({ mode: 'off' }) lets it go live."
  )
}
