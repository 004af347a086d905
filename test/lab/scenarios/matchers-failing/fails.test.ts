import { expect, test } from 'vitest'
import { Agent, ask, stream } from '../in-tests/agent.ts'

test('another argument', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).toHaveCalledTool('look_up_order', { order: 8, by: expect.any(String) })
})

test('another tool', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).toHaveCalledTool('refund')
})

test('a tool that should not be called', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).not.toHaveCalledTool('look_up_order')
})

test('no tool', async ({ cassette }) => {
  await ask('Hello')
  expect(cassette).toHaveCalledTool('refund', {})
})

test('another text', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).toHaveAsked('You help with refunds.')
})

test('another pattern', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).toHaveAsked(/refund/)
})

test('a text that should not be asked', async ({ cassette }) => {
  await ask('My password is 1234')
  expect(cassette).not.toHaveAsked(/password/)
})

test('too much', async ({ cassette }) => {
  await new Agent().answer('Where is my order 7?')
  expect(cassette).toHaveTakenAtMost({ calls: 1, tokens: 20, cents: 1 })
})

test('an unknown price, at most', async ({ cassette }) => {
  await ask('Hello', { model: 'nobody-knows' })
  expect(cassette).toHaveTakenAtMost({ cents: 1 })
})

test('an unknown price, not at most', async ({ cassette }) => {
  await ask('Hello', { model: 'nobody-knows' })
  expect(cassette).not.toHaveTakenAtMost({ calls: 1, cents: 1 })
})

test('unknown tokens', async ({ cassette }) => {
  await stream('Hello')
  expect(cassette).toHaveTakenAtMost({ tokens: 1_000 })
})

test('other turns', async ({ cassette }) => {
  const agent = new Agent()
  await agent.answer('Where is my order 7?')
  await agent.answer('Thank you')
  await ask('Something else')
  expect(cassette).toHaveTurns(2)
})

test('softly', async ({ cassette }) => {
  await ask('Hello')
  expect.soft(cassette).toHaveTurns(2)
  expect.soft(cassette).toHaveAsked('Good bye')
})

test('something else', () => {
  // @ts-expect-error -- no cassette and no conversation
  expect(7).toHaveTurns(2)
})

test('nothing', ({ cassette }) => {
  expect(cassette).toHaveAsked('Hello')
})
