import { PROXY_VARIABLES, type OwnProxies } from '../patch/own-proxies.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** By what programs find the proxy of each kind of address. */
const EVERY = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']

/** In the place of those above, by programs that know no kinds. */
const FALLBACKS = ['ALL_PROXY', 'all_proxy']

/** What is asked directly: the gateway, and servers of this machine. */
const HERE = '127.0.0.1,localhost,::1'

/**
 * The gateway is the proxy of every program, so that it sees what is asked past a base URL. What the user has set stands
 * in its address, in the place of a password: that is how the gateway asks in turn.
 */
export function proxies(env: Variables, base: string): Record<string, string> {
  const own = { ...pickProxies(env), ...ownProxies(env, base) }
  const address = proxyAt(base, own)
  const names = [...EVERY, ...FALLBACKS.filter((name) => own[name])]
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    NO_PROXY: HERE,
    no_proxy: HERE,
  }
}

/** Keeps a program from asking a proxy of the user for the address at which it is refused. */
export function pastProxies(env: Variables): Record<string, string> {
  const own = pickProxies(env)
  if (Object.keys(own).every((name) => /^no_/i.test(name))) return {}
  const known = (own.no_proxy ?? own.NO_PROXY ?? '').split(',').filter(Boolean)
  const all = [...new Set([...known, ...HERE.split(',')])].join(',')
  return { NO_PROXY: all, no_proxy: all }
}

/** What {@link proxies} has changed, as it was before; `undefined` for what was not set. */
export function ownProxies(env: Variables, base: string): OwnProxies {
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

/** The variables of an environment by which programs find a proxy. */
export function pickProxies(env: Variables): OwnProxies {
  const named = PROXY_VARIABLES.filter((name) => env[name])
  return Object.fromEntries(named.map((name) => [name, env[name]]))
}

/** What stands in the place of a password. */
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
      : ''
  return `${protocol}//${pathname.slice(1)}${password}@${host}`
}
