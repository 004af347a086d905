import { standInKeys } from '../../config/stand-in-keys.ts'
import type { Attempt } from '../../host/attempt.ts'
import { baseUrls } from './base-urls.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** What a program is told so that it asks the gateway. */
export interface Redirection {
  /** The gateway, and whose requests come by the address. */
  base: string
  /** Nobody answers there: a program that asks is refused, and its error names the address. */
  isClosed?: boolean
  /** Whether it is lent keys, without which most SDKs do not start. */
  lendsKeys: boolean
}

/** Where a program is sent that nobody can answer: a port that is always closed, and why. */
export function closedBy(reason: string): Redirection {
  return { base: `http://127.0.0.1:9/${reason}`, isClosed: true, lendsKeys: false }
}

/** Answers what other processes ask. */
export interface Gateways {
  /** Where the children of an attempt are to ask; `undefined` where nothing can be opened. */
  for(attempt: Attempt): Redirection | undefined
  /** Answers nothing any more. */
  close(): void
}

/** The variables that a program gets beside its own, or in the place of its own. */
export function redirected(
  env: Variables,
  { base, lendsKeys }: Redirection,
): Record<string, string> {
  return {
    ...(lendsKeys ? standInKeys(env) : {}),
    ...baseUrls(env, base),
    ...pastProxies(env),
    // Turned off by itself on every host but its own, which would change the prompts.
    ...(env.ANTHROPIC_BASE_URL || env.ENABLE_TOOL_SEARCH ? {} : { ENABLE_TOOL_SEARCH: 'true' }),
  }
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/** A proxy of the user is for the gateway to ask: it knows nothing of this machine's loopback. */
function pastProxies(env: Variables): Record<string, string> {
  if (!PROXIES.some((name) => env[name])) return {}
  const known = (env.no_proxy ?? env.NO_PROXY ?? '').split(',').filter(Boolean)
  const all = [...new Set([...known, '127.0.0.1', 'localhost', '::1'])].join(',')
  return { NO_PROXY: all, no_proxy: all }
}
