// The server as hosts start it: a process of its own. Calls of models from there would be refused, as
// no cassette can answer them, so these tests ask nothing that reaches a model.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BAD_INPUTS } from './bad-inputs.ts'

const client = new Client({ name: 'tests', version: '1.0.0' })

beforeAll(async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const env = { ...(process.env as Record<string, string>), OPENAI_API_KEY: 'not used' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main], env }))
})

afterAll(() => client.close())

test('it offers one tool', async () => {
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    { name: 'askQuestion', inputSchema: { type: 'object', required: ['question'] } },
  ])
})

test.for(BAD_INPUTS)('%s is a JSON-RPC error', async ([, params, message]) => {
  await expect(client.callTool(params)).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
    message: expect.stringContaining(message),
  })
})
