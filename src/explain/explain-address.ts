import { printable } from '../diff/render/printable.ts'
import { endpointOf } from '../dialects/kit/providers.ts'
import type { WireRequest } from '../wire/message.ts'

/** Variables of a package manager say nothing of where an application asks. */
const OF_TOOLS = /^npm_|^PWD$/

/** Says where a request went instead of where it was recorded, and which variable sent it there; empty where both are one place. */
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

/** The variables that hold an address of the same host, from which a client may go on to the path that was asked. */
function namesOf(asked: URL, env: Record<string, string | undefined>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const url = value === undefined || OF_TOOLS.test(name) ? null : URL.parse(value)
    const leads = url?.host === asked.host && asked.pathname.startsWith(url.pathname)
    return leads ? [name] : []
  })
}
