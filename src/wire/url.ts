import { isCredentialParameter } from '../secrets/find/credential-parameter.ts'

/** Query parameters that are a part of the request, and are kept as they are. */
const READABLE = new Set([
  'after',
  'alt',
  'api-version',
  'before',
  'beta',
  'encoding',
  'include',
  'include[]',
  'limit',
  'max_tokens',
  'model',
  'order',
  'page',
  'page_size',
  'pagesize',
  'purpose',
  'starting_after',
  'stream',
  'task',
  'version',
])

/** A URL as it is stored: without user, fragment and keys; other unknown values only as a digest. */
export function keepUrl(url: URL, digest: (value: string) => string): string {
  const kept = new URL(url)
  kept.username = kept.password = kept.hash = kept.search = ''
  for (const [name, value] of url.searchParams) {
    if (READABLE.has(name.toLowerCase())) kept.searchParams.append(name, value)
    else if (!isCredentialParameter(name) || isOtherCode(url, name, value))
      kept.searchParams.append(name, digest(value))
  }
  return kept.href
}

/** Whether a parameter called `code` is no key of an Azure function and no code of a login: both are long and random. */
function isOtherCode({ hostname }: URL, name: string, value: string): boolean {
  if (name.toLowerCase() !== 'code' || hostname.endsWith('.azurewebsites.net')) return false
  return value.length < 20 || /\s/.test(value)
}

/** An address in the headers of an answer, as it is stored: absolute or relative as it was, without user and keys. */
export function keepLocation(location: string): string {
  const [, address = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(location) ?? []
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !isCredentialParameter(nameOf(pair)))
  const open = address.replace(/^((?:\w+:)?\/\/)[^/]*@/, '$1')
  return `${open}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()].join()
}
