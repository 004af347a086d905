import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { CassetteError } from '../../../errors.ts'
import type { WorkerCommand } from './worker-commands.ts'

/** One process of workerd, which runs one file at a time. */
export interface WorkerRunner {
  project: TestProject
}

const load = () => import('../browser/browser-cassettes.ts')

const commands: Record<WorkerCommand, (runner: WorkerRunner, args: any) => Promise<unknown>> = {
  open: async (runner, [test]) => (await load()).openInPage(runner.project, test, runner),
  close: async (_, [base, outcome]) => (await load()).closeInPage(base, outcome),
}

const runners = new Map<string, WorkerRunner>()
let serving: Promise<string> | undefined
let origin: string | undefined

/**
 * Takes the commands of a process of workerd. Resolves to the first part of their addresses.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export async function admitRunner(runner: WorkerRunner): Promise<string> {
  origin = await (serving ??= serve())
  const token = randomUUID()
  runners.set(token, runner)
  return `${origin}/${token}`
}

/** Whether an address is one of those commands. */
export function isCommand(url: string): boolean {
  return origin !== undefined && url.startsWith(`${origin}/`)
}

async function serve(): Promise<string> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  server.unref().listen(0, 'localhost')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CassetteError(
      'refused',
      `No port can be opened at which tests in workerd are answered: ${(error as Error).message}.\nLet this process listen on the loopback interface.`,
    )
  }
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [, token = '', name = ''] = incoming.url!.split('/')
  const runner = runners.get(token)
  const command = Object.hasOwn(commands, name) ? commands[name as WorkerCommand] : undefined
  if (!runner || !command) return void outgoing.writeHead(404).end('There is no such command.')
  try {
    const said = await command(runner, await json(incoming))
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(said))
  } catch (error) {
    outgoing.writeHead(500).end((error as Error).message)
  }
}
