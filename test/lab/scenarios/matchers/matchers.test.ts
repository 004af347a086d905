import { expect, test } from 'vitest'
import { Agent, stream } from '../in-tests/agent.ts'

test('reads what an agent did', async ({ cassette }) => {
  const agent = new Agent()
  await agent.answer('Where is my order 7?')
  await agent.answer('Thank you')

  expect(cassette).toHaveCalledTool('look_up_order')
  expect(cassette).toHaveCalledTool('look_up_order', { order: 7 })
  expect(cassette).toHaveCalledTool('look_up_order', { order: expect.any(Number) })
  expect(cassette).toHaveCalledTool('look_up_order', expect.objectContaining({ order: 7 }))
  expect(cassette).not.toHaveCalledTool('look_up_order', { order: 8 })
  expect(cassette).not.toHaveCalledTool('refund')
  expect(cassette).toHaveAsked('Be kind.')
  expect(cassette).toHaveAsked(/order \d was shipped/gi)
  expect(cassette).not.toHaveAsked('Be rude.')
  expect(cassette).toHaveTurns(2)
  expect(cassette).toHaveTakenAtMost({ calls: 4, tokens: 10_000, cents: 10 })
  expect(cassette).not.toHaveTakenAtMost({ calls: 3 })

  const [conversation, ...others] = cassette.conversations()
  expect(others).toEqual([])
  expect(conversation).toMatchObject({ thread: 'thread-1', model: 'gpt-5', turns: 2 })
  expect(conversation!.entries.map(({ role }) => role)).toEqual(
    'system user assistant assistant user assistant assistant'.split(' '),
  )
  expect(conversation!.calls).toMatchObject([
    { name: 'look_up_order', parameters: { order: 7 }, result: 'Order 7 was shipped.' },
    { name: 'look_up_order', parameters: { order: 7 }, result: 'Order 7 was shipped.' },
  ])
  expect(cassette.usage()).toMatchObject({ exchanges: 4, unpriced: 0, uncounted: 0 })
  expect(cassette.cost()).toBeGreaterThan(0)
  expect(cassette.exchanges[0]).toMatchObject({
    prompt: { model: 'gpt-5', tools: [{ name: 'look_up_order' }] },
    completion: { finishReasons: ['tool_calls'], toolCalls: [{ name: 'look_up_order' }] },
    status: 200,
    durationMs: expect.any(Number),
  })
})

test('a stream that has ended is seen whole', async ({ cassette }) => {
  await stream('Say something that is long enough for several chunks')
  expect(cassette.exchanges).toHaveLength(1)
  expect(cassette.exchanges[0]!.completion.text).toContain('several chunks')
})
