import { CassetteError } from '../../errors.ts'
import type { Attempt } from '../../host/attempt.ts'
import { shared } from '../../real/shared.ts'
import { addressAt } from './address.ts'
import type { Gateways } from './redirection.ts'

/** The gateways that answer the children of this process, shared by all copies of this package. */
export const answering: { gateways?: Gateways } = shared('gateways', () => ({}))

/**
 * The address at which an attempt answers for another one, for programs that do not read their base URL from the
 * environment.
 *
 * @throws CassetteError `refused` where no port can be opened, `invalid-option` for a text that is no address
 */
export function baseUrlFor(attempt: Attempt, upstream: string): string {
  if (!URL.canParse(upstream) || !/^https?:/.test(upstream))
    throw new CassetteError(
      'invalid-option',
      `baseUrl() takes the address that a program would ask, such as 'https://api.openai.com/v1', and got ${JSON.stringify(upstream)}.`,
    )
  if (attempt.config.mode === 'off') return upstream
  return addressAt(gatewayBaseFor(attempt), upstream)
}

/**
 * The base of all addresses at which an attempt answers.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export function gatewayBaseFor(attempt: Attempt): string {
  const gateway = answering.gateways?.for(attempt)
  if (gateway) return gateway.base
  throw new CassetteError(
    'refused',
    'No port can be opened here at which programs could be answered. Let this process listen on the loopback interface.',
  )
}
