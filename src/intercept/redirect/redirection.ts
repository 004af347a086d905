import type { Attempt } from '../../host/attempt.ts'
import { baseUrls } from './base-url-variables.ts'
import { pastProxies, proxies } from './proxies.ts'
import { trustFiles } from './trust-files.ts'

/** The settings of a program that sends its requests to the gateway. */
export interface Redirection {
  /** The address of the gateway, with the token of the attempt. */
  base: string
  /** Whether nothing is answered there: a program gets an error that names the address, or the way out. */
  isClosed?: boolean
  /** Whether it is a proxy too. */
  isProxy?: boolean
  /** The certificate, as PEM, of the authority that signs for the gateway where it answers in the place of a host. */
  authority?: string
}

/** A program that is being started. */
export interface Started {
  /** Its name. */
  program: string
  /** Its stack names the line that starts it. */
  callSite: Error
}

/** The settings of a program that cannot be answered: a port that is always closed. Its path is the reason. */
export function closedBy(reason: string): Redirection {
  return { base: `http://127.0.0.1:9/${reason}`, isClosed: true }
}

/** The settings of a program that is refused whatever it asks, by a server that tells it why. */
export function refusedAt(origin: string, token: string): Redirection {
  return { base: `${origin}/${token}`, isClosed: true, isProxy: true }
}

/** Answers the requests of other processes. */
export interface Gateways {
  /** Where programs are refused for which their test waits; `undefined` where nobody listens for them. */
  waited?: string
  /**
   * The settings of a program that an attempt starts; `undefined` where no port can be opened.
   *
   * @param started is named in errors about its requests
   */
  for(attempt: Attempt, started?: Started): Redirection | undefined
  /** Ends all of them. */
  close(): void
}

/**
 * The variables that a program gets in addition to its own, or instead of them.
 *
 * @param folder takes files for the program to read; absent for programs that need none
 */
export function redirected(
  env: NodeJS.ProcessEnv,
  { base, isClosed, isProxy = !isClosed, authority }: Redirection,
  folder?: string,
): Record<string, string> {
  return {
    ...baseUrls(env, base),
    ...(isProxy ? proxies(env, base) : pastProxies(env)),
    ...(authority && folder ? trustFiles(env, authority, folder) : {}),
    ...forClaude(env),
    ...forCodex(env),
  }
}

/** The SDK of Codex hands its key on under a name of its own, and `codexConfig` names the usual one. */
function forCodex({ CODEX_API_KEY, OPENAI_API_KEY }: NodeJS.ProcessEnv): Record<string, string> {
  return CODEX_API_KEY && !OPENAI_API_KEY ? { OPENAI_API_KEY: CODEX_API_KEY } : {}
}

/** Variables for Claude Code alone. */
function forClaude(env: NodeJS.ProcessEnv): Record<string, string> {
  const variables: Record<string, string> = {
    // Its telemetry does not go to its base URL, and would be refused.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // It turns this off on hosts of other vendors, which would change its prompts.
    ...(env.ANTHROPIC_BASE_URL ? {} : { ENABLE_TOOL_SEARCH: 'true' }),
  }
  return Object.fromEntries(Object.entries(variables).filter(([name]) => env[name] === undefined))
}
