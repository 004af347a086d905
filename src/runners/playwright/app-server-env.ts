import { join } from '../../real/path.ts'
import { readEnvironment } from '../../config/environment.ts'
import { sendsNothing } from '../../config/mode.ts'
import type { CassetteOptions } from '../../config/options.ts'
import { resolveConfig } from '../../config/resolved-config.ts'
import { standInKeys, withoutEmptyKeys } from '../../providers/stand-in-keys.ts'
import { VISITORS_VARIABLE } from '../../transports/address.ts'
import { baseUrls, pastProxies } from '../../transports/child-environment.ts'
import { checkOptions } from '../../config/check-options.ts'

/** The options of an app server. */
export interface AppServerOptions extends Pick<
  CassetteOptions,
  'mode' | 'hosts' | 'allowHosts' | 'keys'
> {
  /** The `cassettePort` of the tests, for app servers that do not run on Node: they get base URLs there. */
  port?: number
}

/** The file that app servers load before anything else. The build puts it beside its other files. */
const VISITORS_FILE = join(import.meta.dirname, 'visitors.cjs')

/**
 * Variables for an app server whose LLM calls the cassettes of tests answer, in addition to its own.
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
  const lent = keys && sendsNothing(mode) ? standInKeys(withoutEmptyKeys(process.env)) : {}
  if (port !== undefined) {
    const { env } = process
    return { ...lent, ...baseUrls(env, `http://127.0.0.1:${port}`), ...pastProxies(env) }
  }
  const { NODE_OPTIONS = '' } = process.env
  return {
    ...lent,
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${JSON.stringify(VISITORS_FILE)}`.trim(),
    [VISITORS_VARIABLE]: JSON.stringify({ hosts, allowHosts }),
  }
}
