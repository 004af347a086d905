import { matchesHost } from '../../config/hosts.ts'
import { sendsNothing } from '../../config/mode.ts'
import { isLoopback } from '../../providers/providers.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { isNamedAsModel } from '../intercept/call/model-name.ts'
import { sideRequestOf } from '../intercept/call/side-request.ts'
import { judgeInScope } from '../answer.ts'
import { connectionAddress, isGuarded, tunnelTo } from '../intercept/guard/guard-policy.ts'
import { PACKAGE_HOSTS } from './package-hosts.ts'

/**
 * Whether the gateway itself answers at the end of a tunnel that a child requests: a tunnel to a provider, to the
 * target of a provider's redirect, to a host of an LLM call in this test or its cassette, or to a host whose name says
 * that a model answers there. All other tunnels lead to their host.
 */
export function isAnsweredTunnel(authority: string, attempt: Attempt): boolean {
  const connection = tunnelTo(authority)
  const { config } = attempt
  if (config.mode === 'off') return false
  const address = new URL(connectionAddress(connection))
  if (matchesHost(address, config.allowHosts)) return false
  if (['certain', 'beside'].includes(judgeInScope('CONNECT', address.href, attempt, config)))
    return true
  // Replay answers side requests. A recording lets them pass.
  if (sendsNothing(config.mode) && isGuarded(connection, config)) return true
  if (attempt.wasRecordedAt(address.host)) return true
  // Also where most requests are side requests: some programs ask their model there.
  return !isLoopback(address) && isNamedAsModel(address, process.env)
}

/**
 * Whether the summary of the run names the host of a tunnel that passes: LLM calls in it would be neither recorded nor
 * replayed, and would fail no test. Git asks no model at any host, and says who it is.
 *
 * @param agent the header `user-agent` with which the tunnel was requested
 */
export function isNamedTunnel(authority: string, { config }: Attempt, agent = ''): boolean {
  if (config.mode === 'off' || agent.startsWith('git/')) return false
  const address = new URL(connectionAddress(tunnelTo(authority)))
  if (isLoopback(address) || sideRequestOf(address)) return false
  return !matchesHost(address, [...PACKAGE_HOSTS, ...config.allowHosts])
}
