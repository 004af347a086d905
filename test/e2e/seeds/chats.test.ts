// What the description of chats lists, in its words, held against `examples/answer-agent`, whose own tests
// replay from cassettes. Here a model is played by a function, which sees what it is told.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { beforeEach, expect, test, vi } from 'vitest'
import { createMcpServer } from '../../../examples/answer-agent/src/mcp-server.ts'
import { freshAgent, freshFolder } from '../../../examples/answer-agent/test/fresh-chats.ts'

const CHAT = 'chat-1707063425123-k2j9x3p1q'
const QUESTIONS = [
  'What is async/await?',
  'Can you give me an example?',
  'What about error handling?',
]

interface Told {
  role: string
  content: string
}

/** What the model was told, one list of messages for each question. */
let told: Told[][]
let refuses: boolean

beforeEach(() => {
  told = []
  refuses = false
  vi.stubEnv('OPENAI_API_KEY', 'sk-none')
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body: string }) => {
    if (refuses) return Response.json({ error: { message: 'No.' } }, { status: 400 })
    const { messages } = JSON.parse(body) as { messages: Told[] }
    told.push(messages)
    const content = `Answer to ${messages.at(-1)!.content}`
    return Response.json({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    })
  })
  return () => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  }
})

test('Creates new chat session automatically: chat-<timestamp>-<random>', async () => {
  const { agent } = freshAgent()
  const { chatId, answer } = await agent.ask('What is a singleton pattern?')
  expect(answer).toBe('Answer to What is a singleton pattern?')
  const [, timestamp] = /^chat-(\d{13})-[0-9a-z]{9}$/.exec(chatId)!
  expect(Math.abs(Number(timestamp) - Date.now())).toBeLessThan(60_000)
  const other = await agent.ask('What is TypeScript?')
  expect(other.chatId).not.toBe(chatId)
})

test('Reuses same chat, maintains history: has context from both prior exchanges', async () => {
  const { agent } = freshAgent()
  for (const question of QUESTIONS)
    expect(await agent.ask(question, CHAT)).toMatchObject({ chatId: CHAT })
  const [first, second, third] = QUESTIONS
  expect(told[2]).toEqual([
    { role: 'system', content: expect.any(String) },
    { role: 'user', content: first },
    { role: 'assistant', content: `Answer to ${first}` },
    { role: 'user', content: second },
    { role: 'assistant', content: `Answer to ${second}` },
    { role: 'user', content: third },
  ])
})

test('Maintains up to 5 exchanges (10 messages): 1 system prompt + 10 history messages, and the question', async () => {
  const { agent, log } = freshAgent()
  for (let count = 1; count <= 8; count++) await agent.ask(`Question ${count}`, CHAT)
  // Before the question itself: 1, 3, 5 … and never more than 11.
  expect(told.map((messages) => messages.length - 1)).toEqual([1, 3, 5, 7, 9, 11, 11, 11])
  expect(
    told
      .at(-1)!
      .slice(0, 2)
      .map(({ role }) => role),
  ).toEqual(['system', 'user'])
  expect(told.at(-1)![1]!.content).toBe('Question 3')
  const { messages } = agent.chats.get(CHAT)!
  expect(messages).toHaveLength(10)
  expect(messages.map(({ role }) => role)).not.toContain('system')
  expect(log).toEqual(Array(3).fill(`Chat ${CHAT} history trimmed to last 5 exchanges`))
})

test('getConversation: conversation metadata or null if not found', async () => {
  const { agent } = freshAgent()
  expect(agent.chats.get(CHAT)).toBe(null)
  await agent.ask('Why?', CHAT)
  const chat = agent.chats.get(CHAT)!
  expect(Object.keys(chat).toSorted()).toEqual([
    'chatId',
    'createdAt',
    'lastActivityAt',
    'messages',
  ])
  for (const time of [chat.createdAt, chat.lastActivityAt])
    expect(new Date(time).toISOString()).toBe(time)
  expect(chat.messages[0]!.content.substring(0, 50)).toBe('Why?')
})

test('getAllConversations: like your inbox showing all open chats', async () => {
  const { agent } = freshAgent()
  expect(agent.chats.list()).toEqual([])
  for (const chat of ['one', 'two', 'three']) await agent.ask('Why?', chat)
  expect(
    agent.chats
      .list()
      .map(({ chatId }) => chatId)
      .toSorted(),
  ).toEqual(['one', 'three', 'two'])
})

test('clearConversation: next question with same chatId starts fresh', async () => {
  const { agent, log } = freshAgent()
  await agent.ask('Why?', CHAT)
  await agent.chats.clear(CHAT)
  expect(log).toEqual([`Cleared conversation: ${CHAT}`])
  expect(agent.chats.get(CHAT)).toBe(null)
  await agent.ask('Who?', CHAT)
  expect(told[1]!.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('clearInactiveConversations: older than 24 hours, and not to the millisecond', async () => {
  vi.useFakeTimers()
  try {
    const { agent, log } = freshAgent()
    await agent.ask('Why?', CHAT)
    vi.advanceTimersByTime(24 * 60 * 60 * 1000)
    expect(await agent.chats.clearInactive()).toEqual([])
    expect(log).toEqual([])
    vi.advanceTimersByTime(1)
    expect(await agent.chats.clearInactive()).toEqual([CHAT])
    expect(log).toEqual(['Cleared 1 inactive conversations'])
  } finally {
    vi.useRealTimers()
  }
})

test('Update on each interaction: fresh timestamp, and createdAt stays', async () => {
  vi.useFakeTimers()
  try {
    const { agent } = freshAgent()
    await agent.ask('Why?', CHAT)
    const { createdAt, lastActivityAt } = agent.chats.get(CHAT)!
    vi.advanceTimersByTime(5_000)
    await agent.ask('Who?', CHAT)
    const later = agent.chats.get(CHAT)!
    expect(later.createdAt).toBe(createdAt)
    expect(Date.parse(later.lastActivityAt) - Date.parse(lastActivityAt)).toBe(5_000)
  } finally {
    vi.useRealTimers()
  }
})

test('an agent that is started again goes on with its chats', async () => {
  const folder = freshFolder()
  await freshAgent(folder).agent.ask('Why?', CHAT)
  await freshAgent(folder).agent.ask('Who?', CHAT)
  expect(told[1]).toHaveLength(4)
})

test('MCP askQuestion: answer and chatId; -32602 question must be a string; -32603 Failed to get answer', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createMcpServer(freshAgent().agent).connect(theirs)
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(ours)
  const ask = (args: Record<string, unknown>) =>
    client.callTool({ name: 'askQuestion', arguments: args })
  const { structuredContent } = await ask({ question: 'Why?', chatId: CHAT })
  expect(structuredContent).toEqual({ answer: 'Answer to Why?', chatId: CHAT })
  for (const chatId of ['', null])
    expect((await ask({ question: 'Why?', chatId })).structuredContent).toEqual({
      answer: 'Answer to Why?',
      chatId: expect.stringMatching(/^chat-\d{13}-/),
    })
  for (const question of [undefined, '', 7])
    await expect(ask({ question })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('question must be a string'),
    })
  refuses = true
  await expect(ask({ question: 'Why?' })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('Failed to get answer: 400 No.'),
  })
  await client.close()
})
