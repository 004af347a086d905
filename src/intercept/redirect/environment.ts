import { standInKeys } from '../../config/stand-in-keys.ts'
import type { Attempt } from '../../host/attempt.ts'
import { baseUrls } from './base-urls.ts'
import { pastProxies, proxies } from './proxies.ts'
import { trustFiles } from './trust-files.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** What a program is told so that it asks the gateway. */
export interface Redirection {
  /** The gateway, and whose requests come by the address. */
  base: string
  /** Nobody answers there: a program that asks is refused, and its error names the address. */
  isClosed?: boolean
  /** The certificate, as PEM, of who vouches for the gateway where it answers in the place of a host. */
  authority?: string
  /** Whether it is lent keys, without which most SDKs do not start. */
  lendsKeys: boolean
}

/** A program that is being started. */
export interface Started {
  /** What it is called. */
  program: string
  /** Its stack names the line that starts it. */
  callSite: Error
}

/** Where a program is sent that nobody can answer: a port that is always closed, and why. */
export function closedBy(reason: string): Redirection {
  return { base: `http://127.0.0.1:9/${reason}`, isClosed: true, lendsKeys: false }
}

/** Answers what other processes ask. */
export interface Gateways {
  /**
   * Where what an attempt starts is to ask; `undefined` where nothing can be opened.
   *
   * @param started what is named where something is wrong with what it asks
   */
  for(attempt: Attempt, started?: Started): Redirection | undefined
  /** Answers nothing any more. */
  close(): void
}

/**
 * The variables that a program gets beside its own, or in the place of its own.
 *
 * @param folder for files that it is to read; absent for programs that need none
 */
export function redirected(
  env: Variables,
  { base, isClosed, authority, lendsKeys }: Redirection,
  folder?: string,
): Record<string, string> {
  return {
    ...(lendsKeys ? standInKeys(env) : {}),
    ...baseUrls(env, base),
    ...(isClosed ? pastProxies(env) : proxies(env, base)),
    ...(authority && folder ? trustFiles(env, authority, folder) : {}),
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
