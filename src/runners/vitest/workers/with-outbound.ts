import { CassetteError } from '../../../errors.ts'
import { answerOutbound, type Outbound } from './answer-outbound.ts'
import type { WorkerRunner } from './serve-workers.ts'

/** The options of a Worker that are read here. */
interface WorkerOptions {
  name?: string
  outboundService?: unknown
}

/** The options of the pool that are read here. */
export interface PoolOptions {
  miniflare?: WorkerOptions & { workers?: WorkerOptions[] }
}

/** The options of a pool with the calls of its Workers answered that no set-up file sees. */
export function withOutbound(options: PoolOptions = {}, runner: WorkerRunner): PoolOptions {
  const { miniflare = {} } = options
  const { workers, outboundService: own } = miniflare
  return {
    ...options,
    miniflare: {
      ...miniflare,
      // Without one, the Worker under test reaches this process by itself.
      ...(own === undefined ? {} : { outboundService: answering(own, 'The Worker under test') }),
      ...(workers ? { workers: workers.map(answered) } : {}),
    },
  }

  function answered(worker: WorkerOptions): WorkerOptions {
    const name = `The Worker ${worker.name ?? 'without a name'}`
    return { ...worker, outboundService: answering(worker.outboundService, name) }
  }

  function answering(given: unknown, name: string): Outbound {
    if (given === undefined || typeof given === 'function')
      return answerOutbound(runner, given as Outbound | undefined)
    throw new CassetteError(
      'invalid-option',
      `${name} has an outboundService that is no function: calls that go through it could be neither recorded nor replayed.\n` +
        'Make it a function, (request) => Response.',
    )
  }
}
