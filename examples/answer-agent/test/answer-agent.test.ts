import { RateLimitError } from 'openai'
import { expect, test, vi } from 'vitest'
import { AnswerAgent } from '../src/answer-agent.ts'
import { MAX_EXCHANGES } from '../src/chat.ts'
import { QUESTIONS } from './questions.ts'

const [first, second] = QUESTIONS

test('a new chat has an id of its own and knows nothing', async ({ cassette }) => {
  const agent = new AnswerAgent()
  const { chatId, answer } = await agent.ask(first)

  expect(answer).toContain('Jupiter')
  expect(chatId).toMatch(/^chat_\d{13}_[0-9a-f]{8}$/)
  expect(agent.chats.list().map(({ id }) => id)).toEqual([chatId])
  expect(cassette.exchanges[0]!.prompt.messages.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('a chat that goes on knows what was said', async ({ cassette }) => {
  const agent = new AnswerAgent()
  const { chatId, answer } = await agent.ask(first)
  await agent.ask(second, chatId)

  expect(agent.chats.get(chatId).exchanges.map(({ question }) => question)).toEqual([first, second])
  expect(cassette.exchanges[1]!.prompt.messages).toHaveLength(4)
  expect(cassette).toHaveAsked(answer)
  expect(cassette).toHaveTurns(2)
})

test('from the sixth question on a chat forgets its oldest exchange', async ({ cassette }) => {
  const agent = new AnswerAgent()
  let chatId: string | undefined
  for (const question of QUESTIONS) ({ chatId } = await agent.ask(question, chatId))

  const { exchanges } = agent.chats.get(chatId!)
  expect(exchanges.map(({ question }) => question)).toEqual(QUESTIONS.slice(-MAX_EXCHANGES))
  const asked = cassette.exchanges.map(({ prompt }) =>
    prompt.messages.filter(({ role }) => role === 'user'),
  )
  expect(asked.map((questions) => questions.length)).toEqual([1, 2, 3, 4, 5, 5, 5])
  // The model is no longer told how it began, and still it is one conversation.
  expect(cassette.conversations()).toHaveLength(1)
  expect(cassette).toHaveTurns(QUESTIONS.length)
})

test('two chats at a time know nothing of each other', async ({ cassette }) => {
  const agent = new AnswerAgent()
  const large = await agent.ask('Which planet is the largest?')
  const small = await agent.ask('Which planet is the smallest?')
  const moons = await agent.ask('How many moons does it have?', large.chatId)
  const year = await agent.ask('How long is a year there?', small.chatId)

  expect([moons.answer, year.answer]).toEqual([
    expect.stringContaining('97'),
    expect.stringContaining('88'),
  ])
  const threads = cassette.conversations().map(({ entries }) => JSON.stringify(entries))
  expect(threads).toEqual([
    expect.not.stringContaining('smallest'),
    expect.not.stringContaining('largest'),
  ])
})

test('chats in which nothing is said for a while are cleared', async () => {
  vi.useFakeTimers()
  try {
    const agent = new AnswerAgent()
    const idle = await agent.ask('Which planet is the largest?')
    const active = await agent.ask('Which planet is the smallest?')
    vi.advanceTimersByTime(20 * 60_000)
    await agent.ask('How long is a year there?', active.chatId)
    vi.advanceTimersByTime(10 * 60_000)

    expect(agent.chats.clearInactive(30 * 60_000)).toEqual([idle.chatId])
    expect(agent.chats.list().map(({ id }) => id)).toEqual([active.chatId])
    await expect(agent.ask(second, idle.chatId)).rejects.toThrow(`There is no chat ${idle.chatId}`)
  } finally {
    vi.useRealTimers()
  }
})

test('what the provider refused is not remembered, and can be asked again', async ({
  cassette,
}) => {
  cassette.use({ recordErrors: true })
  const agent = new AnswerAgent()
  const { chatId } = await agent.ask('Which planet is the smallest?')
  await expect(agent.ask('Is it hot there?', chatId)).rejects.toThrow(RateLimitError)
  expect(agent.chats.get(chatId).exchanges).toHaveLength(1)

  const { answer } = await agent.ask('Is it hot there?', chatId)
  expect(answer).toContain('430 °C')
  // The SDK asked three times before it gave up.
  expect(cassette.exchanges.map(({ status }) => status)).toEqual([200, 429, 429, 429, 200])
  expect(cassette).toHaveTurns(2)
})

test('a chat that is cleared is gone', async () => {
  const agent = new AnswerAgent()
  const { chatId } = await agent.ask(first)

  expect(agent.chats.clear(chatId)).toBe(true)
  expect(agent.chats.clear(chatId)).toBe(false)
  expect(() => agent.chats.get(chatId)).toThrow('It was cleared, or never began.')
})
