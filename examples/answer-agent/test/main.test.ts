// Tests the server as hosts start it: in a process of its own, which the cassette of the test answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BAD_INPUTS } from './bad-inputs.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let folder: string
/** The client of the tests that ask no model. */
let shared: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'answer-agent-'))
  shared = await startServer()
}, 30_000)

afterAll(async () => {
  await shared.close()
  rmSync(folder, { recursive: true })
})

async function startServer(): Promise<Client> {
  const env = { ...(process.env as Record<string, string>), CHATS: folder }
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main], env }))
  return client
}

test('it offers one tool', async () => {
  const { tools } = await shared.listTools()
  expect(tools).toMatchObject([
    { name: 'askQuestion', inputSchema: { type: 'object', required: ['question'] } },
  ])
})

// Started in the test: the requests of a process belong to the test that starts it.
test('it answers, in a chat that goes on', async ({ cassette }) => {
  const client = await startServer()
  const ask = (args: object) => client.callTool({ name: 'askQuestion', arguments: { ...args } })
  const first = await ask({ question: 'Which planet is the largest?' })
  const { chatId } = first.structuredContent as { chatId: string }
  const second = await ask({ question: 'How many moons does it have?', chatId })
  await client.close()
  expect(second.structuredContent).toEqual({ chatId, answer: 'Jupiter has 97 known moons.' })
  expect(cassette).toHaveTurns(2)
})

test.for(BAD_INPUTS)('%s is a JSON-RPC error', async ([, params, message]) => {
  await expect(shared.callTool(params)).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
    message: expect.stringContaining(message),
  })
})
