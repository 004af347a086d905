import { web } from '../../../real/web.ts'
import { CassetteError } from '../../../errors.ts'
import { type WorkerRunner, isCommand } from './serve-workers.ts'
import { judgeUrl } from '../../../transports/address.ts'
import { addressOfCaught } from '../../../transports/address.ts'
import { fetchDirectly } from '../../../transports/fetch-directly.ts'
import { refuse } from '../../../transports/refuse.ts'
import { providedTo } from '../provide-config.ts'
import { WHY } from './worker-commands.ts'

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

/** Answers all that a Worker sends by `fetch`: the option `outboundService` of Miniflare. */
type Outbound = (asked: Request, ...rest: unknown[]) => Response | Promise<Response>

const SOCKET =
  'A Worker opened a WebSocket to a provider through an outboundService, where it can be neither recorded nor replayed, so it is refused.\n' +
  'Let the Worker under test open it, without an outboundService of its own: the plugin answers those of the other Workers by one.'

/**
 * Answers the LLM calls of a Worker to which no set-up file belongs, as another Worker that the tests bind.
 *
 * @param own the option of the user, which answers all else
 */
function answerOutbound(runner: WorkerRunner, own: Outbound = passOn): Outbound {
  return async (asked, ...rest) => {
    const { url, method } = asked
    if (isCommand(url)) return lead(asked, url)
    const { isAtGateway, runningAt } = await import('../browser/browser-cassettes.ts')
    // The set-up file of the Worker under test has led these already.
    const isLed = isAtGateway(url)
    const { config } = providedTo(runner.project)!
    const { attempt, base, refuse: refuseIt } = await runningAt(runner, config, WHY)
    if (!isLed && judgeUrl(method, url, attempt.config) === 'no') return own(asked, ...rest)
    if (asked.headers.has('upgrade')) {
      attempt.reject(new CassetteError('refused', SOCKET))
      return refuse(url, SOCKET, web)
    }
    if (isLed) return lead(asked, url)
    if (!refuseIt) return lead(asked, addressOfCaught(base!, url))
    refuseIt()
    return refuse(url, 'Nothing tells to which test this request belongs.', web)
  }
}

/** Sends a request to a server of this process. */
async function lead(asked: Request, url: string): Promise<Response> {
  const { method, headers } = asked
  return fetchDirectly(url, { method, url, headers, body: await asked.arrayBuffer() })
}

/** Sends a request on that is no LLM call, over the network of this process. */
async function passOn(asked: Request): Promise<Response> {
  const { method, url } = asked
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await asked.arrayBuffer() : null
  const response = await fetch(url, { method, headers: headersOf(asked), body, redirect: 'manual' })
  const headers = new Headers(response.headers)
  // The body has been decoded on its way.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** The headers of a request, of whichever implementation of fetch, without those of its connection. */
function headersOf({ headers }: Request): Headers {
  const own = new Headers([...headers])
  for (const name of ['host', 'content-length', 'transfer-encoding', 'connection']) own.delete(name)
  return own
}
