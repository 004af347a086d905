import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { testEveryWire } from './every-wire.ts'
import { laterQuestions, newestQuestions, questions } from './wires.ts'

testEveryWire([...questions, ...laterQuestions, ...newestQuestions])

test('mcp, standard input and output', async () => {
  const server = spawn(process.execPath, [`${import.meta.dirname}/tool-server.mjs`])
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const said: unknown[] = []
  const ask = async (message: object, answers: number): Promise<void> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    for (let at = 0; at < answers; at++) said.push((await lines.next()).value)
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tests' } }
  await ask({ id: 1, method: 'initialize', params }, 1)
  await ask({ method: 'notifications/initialized' }, 0)
  const call = { name: 'look_up', arguments: { order: 7 }, _meta: { progressToken: 'p' } }
  await ask({ id: 2, method: 'tools/call', params: call }, 2)
  server.stdin.end()
  expect(said).toMatchSnapshot()
})
