/**
 * Whether one of the patterns of an option names a host: `llm.example.com` and `*.example.com` match
 * on every port, `localhost:8080` on one, `*` everything.
 */
export function matchesHost(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((written) => {
    const pattern = spellHost(written)
    const host = spellHost(pattern.includes(':') ? url.host : url.hostname)
    if (pattern === '*') return true
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
  })
}

/** Normalizes a host with or without a port: lowercase, no final dot, and an IPv4-mapped IPv6 address as IPv4. */
function spellHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '')
    .replace(/^\[::ffff:([\da-f]+):([\da-f]+)\]/, (_, high: string, low: string) =>
      [high, low].flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255]).join('.'),
    )
}
