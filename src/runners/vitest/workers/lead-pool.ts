import type { TestProject } from 'vitest/node'
import { CassetteError } from '../../../errors.ts'
import { packConfig } from '../provide-config.ts'
import { readProvided } from '../setup/provided-config.ts'
import type { WorkerRunner } from './serve-workers.ts'
import type { PoolOptions } from './with-outbound.ts'
import { PLUGINS, POOL } from './worker-commands.ts'

type PoolInitializer = NonNullable<TestProject['config']['poolRunner']>
type PoolWorker = ReturnType<PoolInitializer['createPoolWorker']>

type GivenOptions = PoolOptions | ((context: unknown) => PoolOptions | Promise<PoolOptions>)

export function runsInWorkerd({ config, vite }: TestProject): boolean {
  return config.pool === POOL || vite.config.plugins.some(({ name }) => PLUGINS.includes(name))
}

/**
 * Leads the tests that a project runs in workerd to this process. Cloudflare's plugin may still have to set the pool.
 */
export function leadPool(project: TestProject): void {
  let given = project.config.poolRunner
  Object.defineProperty(project.config, 'poolRunner', {
    configurable: true,
    enumerable: true,
    get: () => given && led(given, project),
    set(pool: PoolInitializer | undefined) {
      given = pool
    },
  })
}

function led(pool: PoolInitializer, project: TestProject): PoolInitializer {
  return {
    ...pool,
    createPoolWorker: (options) => leadWorker(pool.createPoolWorker(options), project),
  }
}

/** Gives a process of workerd the address at which it opens cassettes, and answers the calls of its other Workers. */
function leadWorker(worker: PoolWorker, project: TestProject): PoolWorker {
  if (!('poolOptions' in worker))
    return Object.assign(worker, { start: () => Promise.reject(unknownPool()) })
  const runner: WorkerRunner = { project }
  const options = worker.poolOptions as GivenOptions
  let address: string | undefined
  // The pool reads them while it starts.
  worker.poolOptions = async (context: unknown) => {
    const { admitRunner } = await import('./serve-workers.ts')
    const { withOutbound } = await import('./with-outbound.ts')
    address = await admitRunner(runner)
    return withOutbound(typeof options === 'function' ? await options(context) : options, runner)
  }
  const { send } = worker
  worker.send = (message) => send.call(worker, withAddress(message, address))
  return worker
}

type Message = Parameters<PoolWorker['send']>[0]

function withAddress(message: Message, worker: string | undefined): Message {
  if (message.type !== 'run') return message
  const { context } = message
  const provided = context.providedContext as { 'vitest-cassette'?: string }
  const own = { ...readProvided(provided['vitest-cassette']!), worker }
  const providedContext = { ...provided, 'vitest-cassette': packConfig(own) }
  return { ...message, context: { ...context, providedContext } }
}

function unknownPool(): CassetteError {
  return new CassetteError(
    'invalid-option',
    "The pool of this project is not the one of '@cloudflare/vitest-plugin' 1 that is known here: calls of its Workers could be neither recorded nor replayed.\n" +
      "Use a release that is known, or leave the project live: plugins: [cassettes({ mode: 'off' })] in its own config.",
  )
}
