import { web } from '../../../real/web.ts'
// Loaded where the option `network` closes this machine: `layers.ts` names it.
import { loadRequestRedactor } from '../../../attempt/load-live-values.ts'
import { isRecorded } from '../../../cassette/cassette.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { hostOf } from '../../../engine/gateways.ts'
import { CassetteError, stackLines, withFrames } from '../../../errors.ts'
import { shared } from '../../../real/shared.ts'
import { sideRequestIn } from '../call/judge-address.ts'
import { refuse } from '../../refuse.ts'
import { seen } from '../../reports.ts'
import { configHere, type Scope } from '../../scope.ts'
import { closed, type OtherRequest, type RequestContext } from '../context/request-context.ts'
import { hostInUrl } from '../patch/dial.ts'
import { guardOtherWays } from './closed-ways.ts'
import { guarded } from './guard.ts'
import { type Connection, isGuarded } from './guard-policy.ts'
import { closedConnection, isClosedTo, isOutside } from './this-machine.ts'

const ways = shared<{ end?: () => void }>('closed-ways')

/**
 * Closes the network of this process for files whose option says so; each request asks for the configuration of its test.
 *
 * @param ofFile the configuration of the file, which may still change
 */
export function begin(ofFile: ResolvedConfig): void {
  closed.isRefusedAt = (address) => {
    const config = configHere(ofFile)
    const url = sendsNothing(config.mode) ? URL.parse(address) : null
    return url !== null && isClosedTo(url, config)
  }
  closed.isSeenAt = (address) => {
    const config = configHere(ofFile)
    const url = config.mode === 'off' ? null : URL.parse(address)
    return url !== null && isClosedTo(url, config)
  }
  closed.answer = answerOutside
  closed.isOutside = (connection, config) =>
    sendsNothing(config.mode) && isOutside(connection, config)
  closed.judge = judgeOutside
  ways.end?.()
  ways.end = guardOtherWays((connection) => guarded.judge?.(connection))
}

/** Refuses a request to another machine. While recording, it is noted, as replay will refuse it. */
function answerOutside(
  { method, url: address, headers }: OtherRequest,
  { scope, callSite }: RequestContext,
  config: ResolvedConfig,
): Response | undefined {
  const url = new URL(address)
  if (scope === 'upstream' || !isClosedTo(url, config) || sideRequestIn(url, config))
    return undefined
  const wire = loadRequestRedactor()
    .redactorFor(headers, url, config.redact)
    .request({ method, url: url.origin + url.pathname, body: { kind: 'empty' } })
  const shown = `${method} ${wire.url}`
  if (!sendsNothing(config.mode)) return void noteOutside(url.host, shown)
  const error = withFrames(refusedRequest(shown, url, scope), stackLines(callSite))
  const { message } = error
  fail(scope, error, shown)
  return refuse(address, message, web)
}

/** Refuses a connection to another machine, or notes it. */
function judgeOutside(
  connection: Connection,
  scope: Scope | undefined,
  config: ResolvedConfig,
): Error | undefined {
  if (config.mode === 'off' || !isOutside(connection, config)) return undefined
  const { host, port, transport } = connection
  if (sendsNothing(config.mode)) {
    const error = closedConnection(connection)
    fail(scope, error, `a connection to ${hostInUrl(host)}:${port} by ${transport}`)
    return error
  }
  // The connection follows its look-up, and is noted itself. That of a model has words of its own.
  if (transport !== 'node:dns' && !isGuarded(connection, config))
    noteOutside(`${hostInUrl(host)}:${port}`, `a connection by ${transport}`)
  return undefined
}

/** The refusal by which a test fails, and what else was refused in it. */
const refusals = new WeakMap<
  object,
  { first: CassetteError; message: string; others: Set<string> }
>()

/**
 * Fails the test, its file after its end, and the run where no file can fail any more: Vitest names the file then. The
 * first refusal of a test names the others, so that one run tells all of them.
 */
function fail(scope: Scope | undefined, error: CassetteError, shown: string): void {
  if (typeof scope !== 'object') return void Promise.reject(error)
  const known = refusals.get(scope)
  if (!known) {
    refusals.set(scope, { first: error, message: error.message, others: new Set([shown]) })
    return scope.reject(error)
  }
  const { first, message, others } = known
  const [, ...also] = others.add(shown)
  if (also.length === 0) return
  const named = also.slice(0, MAX_NAMED).map((one) => `  ${one}`)
  const left = also.length - named.length
  const more = left > 0 ? [`  and ${left} more`] : []
  first.message = [message, 'Refused after it, for the same reason:', ...named, ...more].join('\n')
}

/** How many other refusals are named. */
const MAX_NAMED = 10

function refusedRequest(shown: string, { host }: URL, scope: Scope | undefined): CassetteError {
  const session = typeof scope === 'object' ? scope.session : undefined
  const recorded = session?.cassette?.exchanges.filter(isRecorded) ?? []
  const hosts = [...new Set(recorded.map(({ wire }) => hostOf(wire.request.url)))]
  return new CassetteError(
    'refused',
    [
      `${shown} is not recorded, and the option network is 'closed': nothing was sent`,
      hosts.length > 0
        ? `The cassette answers for ${hosts.join(', ')} alone.`
        : 'No cassette answers here for any host.',
      `To record it with the LLM calls: cassettes({ hosts: ['${host}'] })${session ? `, and then\n  ${session.test.recordCommand}` : '.'}`,
      `To let it out in replay: cassettes({ allowHosts: ['${host}'] }). Or put a fake, or a server on this machine, in its place.`,
    ].join('\n'),
  )
}

/** Notes what left this machine unrecorded. The connection of a request that is noted tells nothing new. */
function noteOutside(host: string, asked: string): void {
  const name = host.replace(/:(?:80|443)$/, '')
  if (!seen.out.has(name)) seen.out.set(name, asked)
}
