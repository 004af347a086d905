import { mapSpelled, queryOf, READABLE, spellQuery } from '../../wire/url.ts'

/** What stands for the values of a parameter that are not stored. */
const DIGEST = /^(?:[0-9a-f]{12}|REDACTED)$/

/** Whether the value of a parameter is a digest, or would be taken for one. */
export function isDigest(value: string): boolean {
  return DIGEST.test(value)
}

/** An address with other values of the parameters that nobody knows, but for digests. */
export function mapUnknown(href: string, map: (value: string) => string): string {
  const url = new URL(href)
  const pairs = queryOf(url).map(([name, value]): [string, string] => [
    name,
    READABLE.has(name.toLowerCase()) || isDigest(value) ? value : mapSpelled(value, map),
  ])
  url.search = spellQuery(pairs)
  return url.href
}
