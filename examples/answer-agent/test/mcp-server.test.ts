import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMcpServer } from '../src/mcp-server.ts'
import { freshAgent } from './fresh-chats.ts'
import { BAD_INPUTS } from './bad-inputs.ts'

let client: Client

beforeEach(async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createMcpServer(freshAgent().agent).connect(theirs)
  client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(ours)
})

afterEach(() => client.close())

test('askQuestion answers, in a chat that can go on', async ({ cassette }) => {
  // With the list of tools, the client checks results against their output schemas.
  await client.listTools()
  const first = await ask({ question: ' Which planet is the largest? ' })
  const { chatId } = first.structuredContent as { chatId: string }
  const second = await ask({ question: 'How many moons does it have?', chatId })

  expect(first.content).toEqual([{ type: 'text', text: expect.stringContaining('Jupiter') }])
  expect(second.structuredContent).toEqual({ chatId, answer: 'Jupiter has 97 known moons.' })
  expect(cassette).toHaveTurns(2)
})

test('a provider that does not answer is a JSON-RPC error', async ({ cassette }) => {
  cassette.use({ recordErrors: true })
  await expect(ask({ question: 'Is anybody there?' })).rejects.toMatchObject({
    code: ErrorCode.InternalError,
    message: expect.stringContaining('Failed to get answer: 429 Too many requests'),
  })
})

test.for(BAD_INPUTS)('%s is a JSON-RPC error', async ([, params, message], { cassette }) => {
  await expect(client.callTool(params)).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
    message: expect.stringContaining(message),
  })
  expect(cassette.exchanges).toEqual([])
})

function ask(args: Record<string, unknown>): ReturnType<Client['callTool']> {
  return client.callTool({ name: 'askQuestion', arguments: args })
}
