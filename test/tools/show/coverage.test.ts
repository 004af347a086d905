import { expect, test } from 'vitest'
import type { Cassette, Exchange } from '../../../src/cassette/cassette.ts'
import { coverageOf, uncoveredBy } from '../../../src/tools/show/coverage.ts'
import { readSteps } from '../../../src/conversation/step.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import { requestTo } from '../../providers/wire.ts'
import { expectGolden } from '../../golden.ts'

const tool = (name: string): object => ({ type: 'function', function: { name, parameters: {} } })

/** An exchange of OpenAI's chat whose answer is given whole, or as events. */
function exchange(answer: object | object[], status = 200): Exchange {
  const streams = Array.isArray(answer)
  const request = requestTo('https://api.openai.com/v1/chat/completions', {
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Well?' }],
    tools: [tool('look'), tool('cancel')],
    stream: streams,
  })
  const text = streams
    ? answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    : JSON.stringify(answer)
  const type = streams ? 'text/event-stream' : 'application/json'
  const response = {
    status,
    headers: { 'content-type': type },
    body: readBody(Buffer.from(text), type),
  }
  const hash = 'sha256-0'
  return {
    id: 'exchange-1',
    prompt: { text: 'Well?', hash, metadata: {} },
    response: { text: '' },
    wire: { request, response },
  }
}

const said = (finish_reason: string, message: object = { content: 'Yes.' }): object => ({
  choices: [{ index: 0, finish_reason, message }],
})

const coverage = (...exchanges: Exchange[]) => {
  const cassette: Cassette = { conversationId: 'c', timestamp: '2026-01-01T00:00:00Z', exchanges }
  return coverageOf(readSteps(cassette))
}

test('tools that are declared and never called, ends, failures and streams are named', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const found = coverage(
    exchange(said('tool_calls', { tool_calls: [call] })),
    exchange(said('stop')),
  )
  expect(found).toMatchObject({ answers: 2, streamed: 0, incomplete: 0 })
  expect([...found.tools]).toEqual([
    ['look', 1],
    ['cancel', 0],
  ])
  expect([...found.finishReasons]).toEqual([
    ['tool_calls', 1],
    ['stop', 1],
  ])
  expect(uncoveredBy(found)).toHaveLength(6)
  await expectGolden(uncoveredBy(found).join('\n'), 'uncovered')
})

test('what is recorded is no longer named', () => {
  const error = { error: { message: 'No.' } }
  const cut = [{ choices: [{ index: 0, delta: { content: 'Yes' } }] }]
  const found = coverage(
    exchange(said('length')),
    exchange(said('content_filter')),
    exchange(error, 429),
    exchange(error, 503),
    exchange(cut),
  )
  expect(found.failures).toEqual(
    new Map([
      [429, 1],
      [503, 1],
    ]),
  )
  expect(uncoveredBy(found)).toEqual(['a call of look', 'a call of cancel'])
})
