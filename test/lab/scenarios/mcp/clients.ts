import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { inject } from 'vitest'

/** What the servers say of the weather. */
export const { SKY = 'rain' } = process.env

/** A client of a server in a folder of them, over one of the transports. */
export async function connect(
  transport: string,
  server = 'weather',
  capabilities = {},
  servers = `${import.meta.dirname}/servers`,
): Promise<Client> {
  const client = new Client({ name: 'tests', version: String(process.pid) }, { capabilities })
  await client.connect(
    transport.startsWith('http')
      ? new StreamableHTTPClientTransport(new URL(addressOf(transport)))
      : new StdioClientTransport({
          command: process.execPath,
          args: [`${servers}/${server}.mjs`],
          env: {
            WEATHER_API_KEY: 'wk-4f9a8b7c6d5e4f3a2b1c',
            UPSTREAM_URL: process.env.UPSTREAM_URL ?? '',
          },
        }),
  )
  return client
}

/** Where a server is that is reached over HTTP: `http`, or `http/json`. */
export function addressOf(transport: string): string {
  return `${inject('weatherUrl')}/weather${transport.replace('http', '')}/mcp`
}

/** The text that a tool answers. */
export async function call(client: Client, name: string, args = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as Array<{ text: string }>).map(({ text }) => text).join()
}
