/**
 * Whether one of the patterns of an option names a host: `llm.example.com` and `*.example.com` match
 * on every port, `localhost:8080` on one, `*` everything. With a port, the names of this machine are one host.
 */
export function matchesHost(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((written) => {
    const pattern = spellHost(written)
    const host = spellHost(pattern.includes(':') ? url.host : url.hostname)
    if (pattern === '*') return true
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
  })
}

/**
 * Normalizes a host with or without a port: lowercase, no final dot, an IPv4-mapped IPv6 address as IPv4, and a port of
 * this machine by one name.
 */
function spellHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '')
    .replace(/^\[::ffff:([\da-f]+):([\da-f]+)\]/, (_, high: string, low: string) =>
      [high, low].flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255]).join('.'),
    )
    .replace(/^(?:127\.0\.0\.1|\[::1\])(?=:\d+$)/, 'localhost')
}

/** A letter or a digit. The name of an MCP server has at least one, and none may precede or follow the name. */
export const SERVER_NAME = /[\p{L}\p{N}]/u

/** The first of the names that occurs in an address, outside of its user, password and query. */
export function serverAt({ host, pathname }: URL, names: readonly string[]): string | undefined {
  return serverNamed(host + pathname, names)
}

/** The first of the names that occurs in a text as one or more whole words. */
export function serverNamed(text: string, names: readonly string[]): string | undefined {
  const words = text.toLowerCase()
  return names.find((name) => standsIn(words, name.toLowerCase()))
}

function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]]
    if (!SERVER_NAME.test(before) && !SERVER_NAME.test(after)) return true
  }
  return false
}
