/**
 * The address of a request whose target was on the wire. A client of `node:http` sends a `#` and what follows, which
 * addresses would leave out.
 */
export function withWholeTarget(url: string): string {
  const at = url.indexOf('#')
  if (at < 0) return url
  const before = url.slice(0, at)
  return before + (before.includes('?') ? '' : '?') + url.slice(at).replaceAll('#', '%23')
}
