import { BASE_URLS } from '../../dialects/kit/base-urls.ts'
import { addressAt, withoutGateway } from './address.ts'

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
