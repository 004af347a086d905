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
export function redirected(env: Variables, to: Redirection): Record<string, string> {
  const { base, lendsKeys } = to
  return {
    ...(lendsKeys ? standInKeys(env) : {}),
    ...baseUrls(env, base),
    ...proxies(env, to),
    ...forClaude(env),
  }
}

/** What Claude Code is told beside its base URL, which nobody else reads. */
function forClaude(env: Variables): Record<string, string> {
  const told: Record<string, string> = {
    // What it sends to its vendor beside asking the model goes past its base URL, where it is refused.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // It turns this off by itself on hosts that are not its vendor's, which would change its prompts.
    ...(env.ANTHROPIC_BASE_URL ? {} : { ENABLE_TOOL_SEARCH: 'true' }),
  }
  return Object.fromEntries(Object.entries(told).filter(([name]) => env[name] === undefined))
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/** By what programs find the proxy for TLS. */
const TLS_PROXIES = ['HTTPS_PROXY', 'https_proxy']

/**
 * The gateway is the proxy of programs that have none: what they ask past their base URL is refused there. A proxy of the
 * user stays theirs, and neither knows anything of this machine's loopback.
 */
function proxies(env: Variables, { base, isClosed }: Redirection): Record<string, string> {
  const own = ownProxies(env, base)
  const known = (env.no_proxy ?? env.NO_PROXY ?? '').split(',').filter(Boolean)
  const all = [...new Set([...known, '127.0.0.1', 'localhost', '::1'])].join(',')
  const past = { NO_PROXY: all, no_proxy: all }
  if (PROXIES.some((name) => (name in own ? undefined : env[name]))) return past
  return isClosed
    ? {}
    : { ...Object.fromEntries(TLS_PROXIES.map((name) => [name, proxyAt(base)])), ...past }
}

function proxyAt(base: string): string {
  const { protocol, host, pathname } = new URL(base)
  return `${protocol}//${pathname.slice(1)}@${host}`
}

/** The proxies that {@link redirected} has set, which were not there before. */
export function ownProxies(env: Variables, base: string): Record<string, undefined> {
  const ours = TLS_PROXIES.filter((name) => env[name] === proxyAt(base))
  return Object.fromEntries(ours.map((name) => [name, undefined]))
}
