// An MCP server that looks an order up, and says how far it has come.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'orders', version: '1' }
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/call') {
    const { progressToken } = params._meta
    say({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
    say({ id, result: { content: [{ type: 'text', text: 'It comes\non 3 May.' }] } })
  }
}
