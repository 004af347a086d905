import { join } from 'node:path'
import { readEnvironment } from '../config/environment.ts'
import { sendsNothing } from '../config/mode.ts'
import type { CassetteOptions } from '../config/options.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { standInKeys } from '../config/stand-in-keys.ts'
import { VISITORS_VARIABLE } from '../gateway/visitor-header.ts'
import { baseUrls } from '../intercept/redirect/base-urls.ts'
import { checkOptions } from '../vitest/api/check-options.ts'

/** What an app server is told. */
export interface AppServerOptions extends Pick<
  CassetteOptions,
  'mode' | 'hosts' | 'allowHosts' | 'keys'
> {
  /**
   * The `cassettePort` of the tests, for app servers that are not Node's: they are told base URLs there.
   */
  port?: number
}

/** Loaded into app servers before anything else; the build puts it beside every other file. */
const VISITORS_FILE = join(import.meta.dirname, 'visitors.cjs')

/**
 * The environment of an app server whose LLM calls the cassettes of tests answer, beside its own.
 *
 * @throws CassetteError `invalid-option`, `invalid-environment`, `recording-refused`
 * @example
 * webServer: { command: 'npm run start', url: 'http://localhost:3000', env: cassetteEnv() }
 */
export function cassetteEnv({ port, ...options }: AppServerOptions = {}): Record<string, string> {
  const { mode, hosts, allowHosts, keys } = resolveConfig(
    checkOptions(options),
    readEnvironment(process.env),
  )
  if (mode === 'off') return {}
  const lent = keys && sendsNothing(mode) ? standInKeys(process.env) : {}
  if (port !== undefined) return { ...lent, ...baseUrls(process.env, `http://127.0.0.1:${port}`) }
  const { NODE_OPTIONS = '' } = process.env
  return {
    ...lent,
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${JSON.stringify(VISITORS_FILE)}`.trim(),
    [VISITORS_VARIABLE]: JSON.stringify({ hosts, allowHosts }),
  }
}
