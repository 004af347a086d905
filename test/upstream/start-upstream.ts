import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A running provider. */
export interface Upstream {
  /** aimock's address. */
  url: string
  /** The odd server's address. */
  oddUrl: string
  /** The address of a server that knows the addresses of every provider. */
  frontUrl: string
  /** How many requests the odd server has answered. */
  count(): Promise<number>
  /** The headers of the last request to the odd server. */
  seen(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** Starts the provider that tests record from. */
export async function startUpstream(): Promise<Upstream> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const urls = JSON.parse(line.toString()) as Pick<Upstream, 'url' | 'oddUrl' | 'frontUrl'>
  return {
    ...urls,
    async count() {
      return Number(await (await fetch(`${urls.oddUrl}/count`)).text())
    },
    async seen() {
      return (await (await fetch(`${urls.oddUrl}/seen`)).json()) as Record<string, string>
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
