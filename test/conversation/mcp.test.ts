import pc from 'picocolors'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readConversations } from '../../src/conversation/conversation.ts'
import { preloadParts } from '../../src/real/load-later.ts'
import { coverageOf } from '../../src/tools/show/coverage.ts'
import { PriceTable, usageOf } from '../../src/conversation/cost.ts'
import { readSteps } from '../../src/conversation/step.ts'
import { writeMarkdown, writeTranscript } from './as-shown.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import { mutantsOf } from '../../src/tools/mutate/mutants.ts'
import { readQuestions } from '../../src/tools/rehearse/questions.ts'
import { mcpAnswer, mcpRequest, type McpMessage } from '../../src/wire/mcp-messages.ts'
import { answer, requestTo } from '../providers/wire.ts'
import { expectGolden } from '../golden.ts'

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

function tool(server: string, params: McpMessage, ...said: McpMessage[]): Turn {
  const request = mcpRequest(server, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return { incoming: readIncoming(request), response: mcpAnswer(said), durationMs: 3 }
}

const text = (words: string, isError = false): McpMessage => ({
  result: { content: [{ type: 'text', text: words }], ...(isError ? { isError } : {}) },
})

/** A question to a model between three to tools of two servers. */
const cassette: Cassette = {
  conversationId: 'test',
  timestamp: '2026-01-01T00:00:00.000Z',
  exchanges: describeTurns([
    tool('weather', { name: 'look', arguments: { city: 'Bern' } }, text('Rain.')),
    {
      incoming: readIncoming(
        requestTo('https://api.openai.com/v1/chat/completions', {
          model: 'gpt-5',
          messages: [{ role: 'user', content: 'Well?' }],
        }),
      ),
      response: answer({ choices: [{ finish_reason: 'stop', message: { content: 'Wet.' } }] }),
    },
    tool('weather', { name: 'look', arguments: { city: 'Oz' } }, text('No such city.', true)),
    tool('files', { name: 'write', arguments: { path: 'a' } }, text('Written.')),
  ]),
}

test('the calls of a server are a conversation of their own, with what came back', () => {
  const conversations = readConversations(cassette)
  expect(conversations.map(({ entries }) => entries.length)).toEqual([2, 2, 1])
  expect(conversations[0]!.entries).toMatchObject([
    {
      server: 'weather',
      calls: [{ name: 'look', parameters: { city: 'Bern' }, result: 'Rain.' }],
    },
    { server: 'weather', calls: [{ name: 'look' }], completion: { error: 'No such city.' } },
  ])
  expect(conversations[2]!.entries).toMatchObject([{ server: 'files' }])
})

test('a transcript names the server', () => {
  const [weather] = readConversations(cassette)
  const pictures = new Map()
  const shown = writeTranscript(weather!, {
    colors: pc.createColors(false),
    pictures,
    emoji: false,
  })
  expect(shown).toMatch(/^MCP server weather\n.*\ncall: look \(city: Bern\)\ndone: Rain\.$/m)
  expect(shown).toContain('error: No such city.')
  expect(writeMarkdown(weather!, pictures)).toContain('**MCP server** `weather`')
})

test('it is described for people by what is called', () => {
  expect(cassette.exchanges[0]).toMatchObject({
    prompt: {
      text: 'look({"city":"Bern"})',
      metadata: { provider: 'weather', operation: 'tools/call' },
    },
    response: { text: 'Rain.' },
  })
})

test('it costs nothing, and no model is tried or asked again by it', async () => {
  const steps = readSteps(cassette)
  const prices = new PriceTable({})
  expect(usageOf(steps[0]!, prices)).toMatchObject({ cost: 0, unpriced: 0, uncounted: 0 })
  expect(coverageOf(steps).answers).toBe(1)
  const { questions, leftOut } = readQuestions('a.json', cassette, prices)
  expect(questions).toHaveLength(1)
  expect(leftOut).toHaveLength(3)
  const [why, ...others] = new Set(leftOut.map((one) => one.why))
  expect(others).toEqual([])
  await expectGolden(why!, 'left-out')
  expect(new Set(mutantsOf(cassette).map(({ exchange }) => exchange))).toEqual(
    new Set(['exchange-2']),
  )
})
