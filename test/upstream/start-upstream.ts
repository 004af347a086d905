import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Asked } from './odd-server.ts'

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
  /** The requests to the odd server. */
  asked(): Promise<Asked[]>
  /** The headers of the last request to the odd server. */
  seen(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** Starts the provider that tests record from, on ports that are free, or on those of aimock and of the front server. */
export async function startUpstream(ports: [number, number] = [0, 0]): Promise<Upstream> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, UPSTREAM_PORTS: ports.join() },
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const urls = JSON.parse(line.toString()) as Pick<Upstream, 'url' | 'oddUrl' | 'frontUrl'>
  return {
    ...urls,
    async count() {
      return Number(await (await fetch(`${urls.oddUrl}/count`)).text())
    },
    async asked() {
      return (await (await fetch(`${urls.oddUrl}/asked`)).json()) as Asked[]
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
