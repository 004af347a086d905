// The server as hosts start it: a process of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BAD_INPUTS } from './bad-inputs.ts'

let client: Client
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'answer-agent-'))
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
  const env = {
    OPENAI_API_KEY: 'not used in replay',
    ...(process.env as Record<string, string>),
    CASSETTE: file('../__recordings__/main.json'),
    CHATS: folder,
  }
  client = new Client({ name: 'tests', version: '1.0.0' })
  const args = [file('./main-with-cassette.ts')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
})

afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

test('it offers one tool', async () => {
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    { name: 'askQuestion', inputSchema: { type: 'object', required: ['question'] } },
  ])
})

test('it answers, in a chat that goes on', async () => {
  const first = await ask({ question: 'Which planet is the largest?' })
  const { chatId } = first.structuredContent as { chatId: string }
  const second = await ask({ question: 'How many moons does it have?', chatId })
  expect(second.structuredContent).toEqual({ chatId, answer: 'Jupiter has 97 known moons.' })
})

test.for(BAD_INPUTS)('%s is a JSON-RPC error', async ([, params, message]) => {
  await expect(client.callTool(params)).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
    message: expect.stringContaining(message),
  })
})

function ask(args: Record<string, unknown>): ReturnType<Client['callTool']> {
  return client.callTool({ name: 'askQuestion', arguments: args })
}
