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
