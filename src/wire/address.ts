/** The scheme of the address of an MCP server in a cassette, whatever its transport. */
const SCHEME = 'mcp://'

/** The address of a server, by its name in the option. */
export function mcpAddress(name: string): string {
  return `${SCHEME}${encodeURIComponent(name)}`
}

/** Whether an address is that of an MCP server. */
export function isMcpAddress(url: string): boolean {
  return url.startsWith(SCHEME)
}

/** The name of the server at an address. */
export function mcpServerOf(url: string): string {
  return decodeURIComponent(url.slice(SCHEME.length))
}

/** The host without the final dot of the DNS root. */
export function dotlessHost(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

/** The addresses of this machine that name nothing else. A name before `.localhost` can be that of a model. */
const THIS_MACHINE = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|localhost)$/

/** The host without its port; `localhost` for each address of this machine. */
export function hostWithoutPort(url: URL): string {
  const host = dotlessHost(url)
  return THIS_MACHINE.test(host) ? 'localhost' : host
}
