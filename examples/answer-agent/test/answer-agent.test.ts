import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RateLimitError } from 'openai'
import { expect, test, vi } from 'vitest'
import { ConversationStore } from 'vitest-cassette/conversations'
import { MAX_EXCHANGES } from '../src/chat.ts'
import { freshAgent, freshFolder } from './fresh-chats.ts'
import { QUESTIONS } from './questions.ts'

const [first, second] = QUESTIONS

/** The form of an answer that the instructions ask for. */
const SENTENCE = /^[A-Z\d][\w ,:°-]+\.$/

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

test('a new chat has an id of its own and knows nothing', async ({ cassette }) => {
  const { agent } = freshAgent()
  const { chatId, answer } = await agent.ask(first)

  expect(answer).toMatch(SENTENCE)
  expect(answer).toContain('Jupiter')
  expect(chatId).toMatch(/^chat-\d{13}-[0-9a-z]{9}$/)
  expect(agent.chats.list().map(({ chatId: id }) => id)).toEqual([chatId])
  expect(cassette.exchanges[0]!.prompt.messages.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('a chat that goes on knows what was said', async ({ cassette }) => {
  const { agent } = freshAgent()
  const { chatId, answer } = await agent.ask(first)
  await agent.ask(second, chatId)

  expect(agent.chats.get(chatId)).toEqual({
    chatId,
    createdAt: expect.stringMatching(ISO),
    lastActivityAt: expect.stringMatching(ISO),
    messages: [
      { role: 'user', content: first },
      { role: 'assistant', content: answer },
      { role: 'user', content: second },
      { role: 'assistant', content: expect.stringMatching(SENTENCE) },
    ],
  })
  expect(cassette.exchanges[1]!.prompt.messages).toHaveLength(4)
  expect(cassette).toHaveAsked(answer)
  expect(cassette).toHaveTurns(2)
})

test('from the seventh question on a chat forgets its oldest exchange, and says so', async ({
  cassette,
}) => {
  const { agent, log } = freshAgent()
  let chatId: string | undefined
  for (const question of QUESTIONS) ({ chatId } = await agent.ask(question, chatId))

  const { messages } = agent.chats.get(chatId!)!
  const questions = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  expect(questions).toEqual(QUESTIONS.slice(-MAX_EXCHANGES))
  expect(messages.at(-1)).toEqual({ role: 'assistant', content: expect.stringMatching(/2031\.$/) })
  const trimmed = `Chat ${chatId} history trimmed to last 5 exchanges`
  expect(log).toEqual([trimmed, trimmed])
  const asked = cassette.exchanges.map(({ prompt }) =>
    prompt.messages.filter(({ role }) => role === 'user'),
  )
  // At most five past questions, and the current one.
  expect(asked.map((questions) => questions.length)).toEqual([1, 2, 3, 4, 5, 6, 6])
  // The first messages are no longer sent, but it is still one conversation.
  expect(cassette.conversations()).toHaveLength(1)
  expect(cassette).toHaveTurns(QUESTIONS.length)
})

test('two chats at a time know nothing of each other', async ({ cassette }) => {
  const { agent } = freshAgent()
  const large = await agent.ask('Which planet is the largest?')
  const small = await agent.ask('Which planet is the smallest?')
  const moons = await agent.ask('How many moons does it have?', large.chatId)
  const year = await agent.ask('How long is a year there?', small.chatId)

  expect([moons.answer, year.answer]).toEqual([
    expect.stringMatching(/97 .*\.$/),
    expect.stringMatching(/88 .*\.$/),
  ])
  const threads = cassette.conversations().map(({ entries }) => JSON.stringify(entries))
  expect(threads).toEqual([
    expect.not.stringContaining('smallest'),
    expect.not.stringContaining('largest'),
  ])
})

test('chats in which nothing was said for more than 24 hours are cleared', async () => {
  vi.useFakeTimers()
  try {
    const { agent, log } = freshAgent()
    const idle = await agent.ask('Which planet is the largest?')
    vi.advanceTimersByTime(60_000)
    const active = await agent.ask('Which planet is the smallest?')
    for (const { answer } of [idle, active]) expect(answer).toMatch(SENTENCE)
    vi.advanceTimersByTime(24 * 60 * 60_000 - 60_000)

    // Exactly one day is not longer than a day.
    expect(await agent.chats.clearInactive()).toEqual([])
    expect(log).toEqual([])
    vi.advanceTimersByTime(1)
    expect(await agent.chats.clearInactive()).toEqual([idle.chatId])
    expect(log).toEqual(['Cleared 1 inactive conversations'])
    expect(agent.chats.list().map(({ chatId }) => chatId)).toEqual([active.chatId])
    expect(agent.chats.get(idle.chatId)).toBe(null)
    vi.advanceTimersByTime(60_000)
    expect(await agent.chats.clearInactive(60 * 60_000)).toEqual([active.chatId])
  } finally {
    vi.useRealTimers()
  }
})

test('what the provider refused is not remembered, and can be asked again', async ({
  cassette,
}) => {
  cassette.use({ recordErrors: true })
  const { agent } = freshAgent()
  const { chatId } = await agent.ask('Which planet is the smallest?')
  await expect(agent.ask('Is it hot there?', chatId)).rejects.toThrow(RateLimitError)
  expect(agent.chats.get(chatId)!.messages).toHaveLength(2)

  const { answer } = await agent.ask('Is it hot there?', chatId)
  expect(answer).toMatch(SENTENCE)
  expect(answer).toContain('430 °C')
  // The SDK asked three times before it gave up.
  expect(cassette.exchanges.map(({ status }) => status)).toEqual([200, 429, 429, 429, 200])
  expect(cassette).toHaveTurns(2)
})

test('a chat that is cleared is gone, and the same id starts afresh', async ({ cassette }) => {
  const { agent, log } = freshAgent()
  const chatId = 'Ada / planets'
  const before = await agent.ask(first, chatId)

  expect(agent.chats.get(chatId)).toMatchObject({ chatId })
  expect(await agent.chats.clear(chatId)).toBe(true)
  expect(await agent.chats.clear(chatId)).toBe(false)
  expect(log).toEqual([`Cleared conversation: ${chatId}`, `Cleared conversation: ${chatId}`])
  expect(agent.chats.get(chatId)).toBe(null)
  const after = await agent.ask(second, chatId)
  for (const { answer } of [before, after]) expect(answer).toMatch(SENTENCE)
  expect(cassette.exchanges[1]!.prompt.messages).toHaveLength(2)
})

test('lastActivityAt moves on with each answer, createdAt does not', async () => {
  vi.useFakeTimers()
  try {
    const { agent } = freshAgent()
    const { chatId } = await agent.ask(first)
    const began = agent.chats.get(chatId)!
    vi.advanceTimersByTime(60_000)
    const { answer } = await agent.ask(second, chatId)
    expect(answer).toMatch(SENTENCE)
    const { createdAt, lastActivityAt } = agent.chats.get(chatId)!
    expect(createdAt).toBe(began.createdAt)
    expect(Date.parse(lastActivityAt) - Date.parse(began.lastActivityAt)).toBe(60_000)
  } finally {
    vi.useRealTimers()
  }
})

test('a chat goes on in another process, also when the first one was killed', async ({
  cassette,
}) => {
  const folder = freshFolder()
  const { chats } = freshAgent(folder).agent
  const writer = startWriter(folder, 'shared', '100000')
  while ((chats.get('shared')?.messages.length ?? 0) < 10) await setTimeout(5)
  writer.kill('SIGKILL')
  await once(writer, 'exit')

  const before = chats.get('shared')!.messages
  const { agent } = freshAgent(folder)
  const { answer } = await agent.ask(first, 'shared')
  expect(answer).toMatch(SENTENCE)
  const [, ...told] = cassette.exchanges[0]!.prompt.messages
  expect(told.slice(0, 2).map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(agent.chats.get('shared')!.messages.slice(-2)).toEqual([
    { role: 'user', content: first },
    { role: 'assistant', content: answer },
  ])
  expect(before.length % 2).toBe(0)
}, 30_000)

test('two processes in one chat lose nothing, and part no answer from its question', async () => {
  const folder = freshFolder()
  const writers = [1, 2].map(() => startWriter(folder, 'shared', '30'))
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))
  expect(codes).toEqual([0, 0])
  const store = new ConversationStore({ store: folder })
  const messages = store.readMessages('shared')
  expect(messages).toHaveLength(120)
  for (let at = 0; at < messages.length; at += 2)
    expect(messages[at + 1]!.content).toBe(`To ${String(messages[at]!.content)}`)
}, 30_000)

/** A process that adds exchanges to a chat, and asks no model. */
function startWriter(folder: string, chatId: string, count: string): ChildProcess {
  const script = fileURLToPath(new URL('./write-chat.ts', import.meta.url))
  return spawn(process.execPath, [script, folder, chatId, count], { stdio: 'inherit' })
}
