import { delimiter, join } from '../real/path.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { sha256 } from '../prompt/sha256.ts'
import { BASE_URLS } from '../providers/base-urls.ts'
import { builtin } from '../real/builtin.ts'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from '../real/files.ts'
import { remember } from '../remember.ts'
import { addressAt, withoutGateway } from './address.ts'
import { type OwnProxies, PROXY_VARIABLES } from './intercept/patch/own-proxies.ts'

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

/** What is named in the place of the program of a thread. */
export const THREAD = 'a worker thread'

export interface Started {
  /** Its name. */
  program: string
  /** Its command line, as its author would write it. */
  command: string
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
 * The variables that a program gets in addition to its own, or instead of them. A proxy of the user takes the place of
 * a password in the address of the gateway: so the gateway, and the children of the program, know the way out.
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
    ...(isProxy ? { ...proxies(env, base), ...guardOfPython(env, base) } : pastProxies(env)),
    ...(authority && folder ? trustFiles(env, authority, folder) : {}),
    ...forClaude(env),
    ...forCodex(env),
  }
}

/** The folder with the guard of Python. The build puts it beside its other files. */
export const PYTHON_FOLDER: string = join(import.meta.dirname, 'python')

/**
 * Loads a guard into Python, whose clients need not take a proxy: it asks the gateway about what they send past it, and
 * stops what leads to a model. Interpreters that take nothing from the environment are left alone.
 */
export function guardOfPython(env: NodeJS.ProcessEnv, base: string): Record<string, string> {
  const { host, pathname } = new URL(base)
  const others = (env.PYTHONPATH ?? '').split(delimiter).filter((one) => one !== PYTHON_FOLDER)
  return {
    VITEST_CASSETTE_GATEWAY: host.replaceAll(/[[\]]/g, '') + pathname,
    // An empty part would be the working directory.
    PYTHONPATH: [PYTHON_FOLDER, ...others.filter(Boolean)].join(delimiter),
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

/** The proxy variables for each kind of address. */
const EVERY = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']

/** The proxy variables for all kinds of addresses. */
const FALLBACKS = ['ALL_PROXY', 'all_proxy']

/** The addresses of this machine. */
const HERE = '127.0.0.1,localhost,::1'

/**
 * Makes the gateway the proxy of a program, so it also sees requests that do not go to a base URL, those to a model on
 * this machine too. The password in its address holds the proxies that the user has set, through which the gateway sends
 * in turn.
 */
export function proxies(env: NodeJS.ProcessEnv, base: string): Record<string, string> {
  const own = { ...pickProxies(env), ...ownProxies(env, base) }
  const address = proxyAt(base, own)
  const names = [...EVERY, ...FALLBACKS.filter((name) => own[name])]
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    // Some programs read no port here, and ask the gateway through itself.
    NO_PROXY: new URL(base).host,
    no_proxy: new URL(base).host,
  }
}

/** Lets a program reach the closed port without a proxy of the user. */
export function pastProxies(env: NodeJS.ProcessEnv): Record<string, string> {
  const own = pickProxies(env)
  if (Object.keys(own).every((name) => /^no_/i.test(name))) return {}
  const known = (own.no_proxy ?? own.NO_PROXY ?? '').split(',').filter(Boolean)
  const all = [...new Set([...known, ...HERE.split(',')])].join(',')
  return { NO_PROXY: all, no_proxy: all }
}

/**
 * The variables that {@link proxies} has changed, with their earlier values; `undefined` for those that were not set.
 */
export function ownProxies(env: NodeJS.ProcessEnv, base: string): OwnProxies {
  const { host, pathname } = new URL(base)
  const ours = EVERY.map((name) => URL.parse(env[name] ?? '')).find(
    (address) => address?.host === host && address.username === pathname.slice(1),
  )
  if (!ours) return {}
  const before = readProxies(ours.password)
  return Object.fromEntries(
    PROXY_VARIABLES.filter((name) => !FALLBACKS.includes(name) || before[name]).map((name) => [
      name,
      before[name],
    ]),
  )
}

/** The proxy variables of an environment. */
export function pickProxies(env: NodeJS.ProcessEnv): OwnProxies {
  const named = PROXY_VARIABLES.filter((name) => env[name])
  return Object.fromEntries(named.map((name) => [name, env[name]]))
}

/** Reads the token of a program, and the proxies of the user, out of its credentials for the gateway as its proxy. */
export function readCredentials(header: string = ''): { token: string; own: OwnProxies } {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(header) ?? []
  const [token = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return { token, own: readProxies(password) }
}

export function readProxies(password: string): OwnProxies {
  if (password === '') return {}
  try {
    return JSON.parse(Buffer.from(password, 'base64url').toString()) as OwnProxies
  } catch {
    return {}
  }
}

function proxyAt(base: string, own: OwnProxies): string {
  const { protocol, host, pathname } = new URL(base)
  const named = Object.entries(own).filter(([, value]) => value)
  const password =
    named.length > 0
      ? `:${Buffer.from(JSON.stringify(Object.fromEntries(named))).toString('base64url')}`
      : ':none'
  // Python sends no user without a password.
  return `${protocol}//${pathname.slice(1)}${password}@${host}`
}

/**
 * The variables by which programs find the gateway. Each address also holds the one that the user has set, to which
 * the gateway sends in turn.
 *
 * @param base the gateway, with the token of the attempt
 */
export function baseUrls(env: NodeJS.ProcessEnv, base: string): Record<string, string> {
  const own = { ...env, ...ownBaseUrls(env, base) }
  const found = Object.entries(BASE_URLS).flatMap(([name, usual]) => {
    const meant = upstreamOf(own, name, usual)
    return meant === undefined ? [] : [[name, addressAt(base, meant)] as const]
  })
  return Object.fromEntries(found)
}

/**
 * The variables that {@link baseUrls} has changed, with their earlier values; `undefined` for those that were not set.
 */
export function ownBaseUrls(
  env: NodeJS.ProcessEnv,
  base: string,
): Record<string, string | undefined> {
  const changed = Object.entries(BASE_URLS).filter(([name]) => env[name]?.startsWith(`${base}/`))
  return Object.fromEntries(
    changed.map(([name, usual]) => {
      const meant = withoutGateway(env[name]!, base)
      return [name, meant === usual ? undefined : meant]
    }),
  )
}

/** The hosts of the addresses that programs would use by these variables. */
export function namedHosts(env: NodeJS.ProcessEnv): Set<string> {
  const meant = Object.entries(BASE_URLS).map(([name, usual]) => upstreamOf(env, name, usual))
  return new Set(meant.flatMap((url) => (url === undefined ? [] : new URL(url).host)))
}

/** The address that a program would use. Two variables for one address get the same value. */
function upstreamOf(
  env: NodeJS.ProcessEnv,
  name: string,
  usual: string | undefined,
): string | undefined {
  const names = Object.keys(BASE_URLS)
  const same = usual === undefined ? [] : names.filter((one) => BASE_URLS[one] === usual)
  const given = [name, ...same].map((one) => env[one]?.trim()).find(Boolean)
  if (given === undefined) return usual
  const meant = /^[\w+.-]+:\/\//.test(given) ? given : `http://${given}`
  return URL.canParse(meant) && /^https?:/.test(meant) ? meant : undefined
}

/** Variables for a file with certificates that a program trusts in addition. */
const BESIDE = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT']

/** Variables for a file with all certificates that a program trusts. */
const INSTEAD = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CODEX_CA_CERTIFICATE',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
]

/** Files with the certificates that a machine trusts. Each system has one of these. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The variables by which a program trusts the certificates of the gateway, and all others that it trusted before:
 * those of the machine, and those that the user has named.
 *
 * @param authority the certificate of the authority that signs for the gateway
 * @param folder takes the files
 */
export function trustFiles(
  env: NodeJS.ProcessEnv,
  authority: string,
  folder: string,
): Record<string, string> {
  if (!existsSync(folder)) return {}
  const named = (names: string[]): string[] => names.map((name) => env[name] ?? '')
  const beside = write(folder, [authority], named(BESIDE))
  const instead = write(
    folder,
    [authority, rootsOf(process.platform)],
    named([...BESIDE, ...INSTEAD]),
  )
  return Object.fromEntries([
    ...BESIDE.map((name) => [name, beside] as const),
    ...INSTEAD.map((name) => [name, instead] as const),
  ])
}

/** Writes certificates into one file, each once. The same certificates give the same file. */
function write(folder: string, texts: string[], paths: string[]): string {
  const { name, text } = bundle(texts, paths)
  const path = join(folder, name)
  if (!existsSync(path)) writeFileSync(path, text)
  return path
}

/** Cached for this process: most programs of a run get the same certificates. */
const bundles = new Map<string, { name: string; text: string }>()

function bundle(texts: string[], paths: string[]): { name: string; text: string } {
  const key = JSON.stringify([texts[0], texts.length, ...paths])
  const known = bundles.get(key)
  if (known) return known
  const all = [...texts, ...paths.map(readCertificates)]
  const found = all.flatMap((text) => text.match(/-----BEGIN [^]+?-----END [^\n]+/g) ?? [])
  const text = [...new Set(found), ''].join('\n')
  const made = { name: `trusted-${sha256(text)}.pem`, text }
  bundles.set(key, made)
  return made
}

/** The certificates in a file, or in the files of a folder; nothing where there are none. */
function readCertificates(path: string): string {
  if (path === '') return ''
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1')
    return readdirSync(path)
      .map((name) => readFileSync(join(path, name), 'latin1'))
      .join('\n')
  } catch {
    return ''
  }
}

/** The certificates that a machine trusts. */
const rootsOf = remember((platform) => {
  const known = SYSTEM_FILES.find((path) => existsSync(path))
  // macOS and Windows keep certificates in no file, or those of a company elsewhere.
  if (platform !== 'darwin' && platform !== 'win32' && known) return readCertificates(known)
  const { getCACertificates, rootCertificates } = builtin('node:tls')
  // Node has it since 22.15.
  const ofSystem = (getCACertificates as typeof getCACertificates | undefined)?.('system') ?? []
  return [...ofSystem, ...rootCertificates].join('\n')
})
