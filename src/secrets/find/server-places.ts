/** Lists, or objects by name, of tools and servers that the provider calls with a credential in the request. */
export const LISTS: ReadonlySet<string> = new Set([
  'connectors',
  'data_sources',
  'dataSources',
  'integrations',
  'mcp_servers',
  'mcpServers',
  'resources',
  'tools',
])

/** Objects, or lists of them, that have such lists of their own: sockets, batches, options of a gateway. */
export const OWNERS: ReadonlySet<string> = new Set([
  'anthropic',
  'batch',
  'body',
  'inputConfig',
  'input_config',
  'openai',
  'params',
  'providerOptions',
  'request',
  'requests',
  'response',
  'session',
  'setup',
])

/** Replaces a credential; its path is as in messages: `tools[0].authorization`. */
export type MapCredential = (name: string, value: string, path: string) => string
