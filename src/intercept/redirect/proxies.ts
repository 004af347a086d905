import { PROXY_VARIABLES, type OwnProxies } from '../patch/own-proxies.ts'

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

/** Reads the proxies of the user out of a password. */
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
