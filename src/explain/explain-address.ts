import { printable } from '../diff/render/printable.ts'
import { endpointOf } from '../dialects/kit/providers.ts'
import type { WireRequest } from '../wire/message.ts'

/** Variables of package managers and shells, which do not set the address of an application's requests. */
const OF_TOOLS = /^npm_|^PWD$/

/** Names the recorded and the actual address of a request, and the variable behind it; empty where they are equal. */
export function explainAddress(
  recorded: WireRequest,
  asked: WireRequest,
  env: Record<string, string | undefined> = process.env,
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

/** The variables with a URL of the same host whose path is a prefix of the requested path. */
function namesOf(asked: URL, env: Record<string, string | undefined>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const url = value === undefined || OF_TOOLS.test(name) ? null : URL.parse(value)
    const leads = url?.host === asked.host && asked.pathname.startsWith(url.pathname)
    return leads ? [name] : []
  })
}
