import { parseEnv } from 'node:util'
import { readFileSync } from '../../real/files.ts'
import { join } from '../../real/path.ts'
import { printable } from '../../text/printable.ts'
import { BASE_URLS } from '../../providers/base-urls.ts'
import { endpointOf } from '../../providers/providers.ts'
import type { WireRequest } from '../../wire/message.ts'

type Environment = Record<string, string | undefined>

/** Variables of package managers and shells, which do not set the address of an application's requests. */
const OF_TOOLS = /^npm_|^PWD$/

/** Names the recorded and the actual address of a request, and the variable behind it; empty where they are equal. */
export function explainAddress(
  recorded: WireRequest,
  asked: WireRequest,
  env: Environment = process.env,
): string {
  const [one, other] = [new URL(recorded.url), new URL(asked.url)]
  if (endpointOf(one) === endpointOf(other) && one.pathname === other.pathname) return ''
  const names = namesOf(other, env)
  const by =
    names.length > 0 ? `, as ${names.join(' and ')} ${names.length > 1 ? 'say' : 'says'}` : ''
  return printable(
    `It was recorded at ${one.origin}${one.pathname}, and is asked at ${other.origin}${other.pathname}${by}.`,
  )
}

/** The file that commands of this package read, and Vitest does not. */
const ENV_FILE = '.env'

/** The variables of the `.env` of the project; none where it cannot be read. */
export function readEnvFile(): Environment {
  try {
    return parseEnv(readFileSync(join(process.cwd(), ENV_FILE), 'utf8'))
  } catch {
    return {}
  }
}

/**
 * A variable of `.env` that leads to the recorded address, and that this run lacks, with the way to give it; or none. Where
 * the run sets it, and its requests go there, the address is meant.
 */
export function adviseOnEnvFile(
  recorded: WireRequest,
  asked: WireRequest,
  env: Environment = process.env,
  file: Environment = readEnvFile(),
): string {
  const meant = namesOf(new URL(asked.url), env)
  const [name] = namesOf(new URL(recorded.url), file).filter(
    (one) => env[one] !== file[one] && !meant.includes(one),
  )
  if (name === undefined) return ''
  const { origin, pathname } = new URL(file[name]!)
  const base = origin + pathname.replace(/\/$/, '')
  return printable(
    `Nothing but the address differs. ${ENV_FILE} sets ${name}, but Vitest does not read ${ENV_FILE}. Write into its config:\n` +
      `  test: { env: { ${name}: '${base}' } }`,
  )
}

/** The variable that leads a request back to its recorded address, where nothing but the address differs. */
export function adviseOnBaseUrl(
  recorded: WireRequest,
  asked: WireRequest,
  env: Environment = process.env,
): string {
  const [one, other] = [new URL(recorded.url), new URL(asked.url)]
  const set = namesOf(other, env)
  const [name = nameOfDefault(other)] = set
  const start =
    set.length > 0
      ? `Nothing but the address differs. If ${name} is meant to lead there now, the commands below settle it. To replay the recording at its own address,`
      : 'Nothing but the address differs. To replay the recording,'
  const base = baseOf(one, other, name === undefined ? undefined : (env[name] ?? BASE_URLS[name]))
  if (name === undefined) return printable(`${start} let your application ask ${base} again.`)
  if (base === BASE_URLS[name]) return printable(`${start} unset ${name}.`)
  return printable(`${start} set ${name}:\n  ${name}=${base}`)
}

/** The variables with a URL of the same host whose path is a prefix of the requested path. */
function namesOf(asked: URL, env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const url = value === undefined || OF_TOOLS.test(name) ? null : URL.parse(value)
    const leads = url?.host === asked.host && asked.pathname.startsWith(url.pathname)
    return leads ? [name] : []
  })
}

/** The variable by which programs leave the default address that was asked. */
function nameOfDefault(asked: URL): string | undefined {
  const found = Object.entries(BASE_URLS).find(([, usual]) => {
    const url = usual === undefined ? undefined : new URL(usual)
    return url?.host === asked.host && asked.pathname.startsWith(url.pathname)
  })
  return found?.[0]
}

/** The recorded base URL: the recorded address without what the asked one has behind its base. */
function baseOf(recorded: URL, asked: URL, base: string | undefined): string {
  const usual = nameOfDefault(recorded)
  if (usual !== undefined) return BASE_URLS[usual]!
  const start = base === undefined ? '' : new URL(base).pathname.replace(/\/$/, '')
  const behind = asked.pathname.slice(start.length)
  const isThere = base !== undefined && recorded.pathname.endsWith(behind)
  return recorded.origin + (isThere ? recorded.pathname.slice(0, -behind.length) : '')
}
