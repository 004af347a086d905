// A server of tools that speaks without the SDK, and remembers what it was asked.
import { createInterface } from 'node:readline'

let count = 0
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const { protocolVersion } = params ?? {}
  const result =
    method === 'initialize'
      ? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } }
      : { content: [{ type: 'text', text: String(++count) }] }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
