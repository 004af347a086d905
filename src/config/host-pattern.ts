/**
 * Whether one of the patterns of an option names a host: `llm.example.com` and `*.example.com` match
 * on every port, `localhost:8080` on one, `*` everything.
 */
export function matchesHost(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const host = pattern.includes(':') ? url.host : url.hostname
    if (pattern === '*') return true
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
  })
}
