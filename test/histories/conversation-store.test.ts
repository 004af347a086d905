import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConversationStore } from '../../src/histories/conversation-store.ts'
import { FOREIGN_ID, writeForeignStore } from '../e2e/seeds/foreign-store.ts'
import { coded, expectGolden, failureOf, failuresOf } from '../golden.ts'

let root: string
let problems: { kind: string; id: string }[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vitest-cassette-store-'))
  problems = []
})

afterEach(() => rmSync(root, { recursive: true }))

function open(workspace = root): ConversationStore {
  const onProblem = (problem: { kind: string; id: string }): void => void problems.push(problem)
  return new ConversationStore({ store: join(root, 'store'), workspace, onProblem })
}

/** A text without what is another one in each run. */
function steadily(text: string): string {
  const workspace = /(?<=store\/)[0-9a-f]{8}-[^./\n]+/g
  const ofSystem = /EISDIR: .*(?=\.)/g
  return text
    .replaceAll(root, '<root>')
    .replaceAll(workspace, '<workspace>')
    .replaceAll(ofSystem, '<of the system>')
}

/** The folder of a conversation. */
function folderOf(id: string): string {
  const store = join(root, 'store')
  return join(store, readdirSync(store)[0]!, id)
}

test('a store that another program wrote is read whole', () => {
  writeForeignStore(join(root, 'store'), root)
  const store = open()
  expect(store.listConversations().map(({ id }) => id)).toEqual([FOREIGN_ID])
  expect(store.readMessages(FOREIGN_ID)).toHaveLength(6)
  expect(store.readMessages(FOREIGN_ID)[2]).toMatchObject({
    role: 'tool',
    content: { moons: 97 },
    tool_name: 'count',
    tool_use_id: 'use_1',
  })
  expect(store.loadMetadata(FOREIGN_ID)).toMatchObject({
    model_id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    system_prompt: 'You know planets.',
  })
  expect(store.statistics(FOREIGN_ID)).toMatchObject({
    messageCount: 6,
    userMessages: 2,
    assistantMessages: 2,
    toolMessages: 2,
    turns: 2,
    taskCount: 2,
    completedTasks: 1,
    failedTasks: 1,
    totalTokens: 240,
    totalCost: 0.01,
    durationMs: 300_000,
  })
  expect(problems).toEqual([])
})

test('tasks, tokens and the system prompt are counted from the lines where the metadata is lost', () => {
  writeForeignStore(join(root, 'store'), root)
  rmSync(join(folderOf(FOREIGN_ID), 'metadata.json'))
  expect(open().statistics(FOREIGN_ID)).toMatchObject({
    completedTasks: 1,
    failedTasks: 1,
    inputTokens: 200,
    totalCost: 0.01,
  })
  expect(problems).toMatchObject([{ kind: 'missing-metadata', id: FOREIGN_ID }])
})

test('tokens without their total are read', () => {
  const folder = writeForeignStore(join(root, 'store'), root)
  for (const name of ['messages.jsonl', 'metadata.json']) {
    const file = join(folder, FOREIGN_ID, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"total_tokens":\d+,/g, ''))
  }
  expect(open().readMessages(FOREIGN_ID)[1]!.tokens).toMatchObject({ total_tokens: 120 })
  expect(open().loadMetadata(FOREIGN_ID).token_usage).toMatchObject({ total_tokens: 240 })
  expect(problems).toEqual([])
})

test('what another program counted beside its lines is kept when a conversation goes on', async () => {
  writeForeignStore(join(root, 'store'), root)
  const conversation = open().resumeConversation(FOREIGN_ID)
  await conversation.addAssistantMessage('Gladly.', {
    input_tokens: 10,
    output_tokens: 1,
    total_tokens: 11,
    total_cost: 0.001,
  })
  expect(conversation.metadata).toMatchObject({
    message_count: 7,
    task_count: 2,
    failed_tasks: 1,
    token_usage: { input_tokens: 210, total_tokens: 251, total_cost: expect.closeTo(0.011) },
  })
  expect(open().loadMetadata(FOREIGN_ID)).toEqual(conversation.metadata)
})

test('what is written has the fields of the format, and its index', async () => {
  const store = open()
  const conversation = await store.startConversation({ model: 'gpt-5', systemPrompt: 'Be kind.' })
  const { id } = conversation
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
  await conversation.addUserMessage('Hello')
  await conversation.addAssistantMessage('Hi', {
    inputTokens: 10,
    outputTokens: 15,
    totalCost: 0.0002,
  })
  await conversation.addToolMessage('fs_read', 'tool_use_123', { content: 'File contents here' })
  const lines = readFileSync(join(folderOf(id), 'messages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { timestamp: expect.any(String), role: 'user', content: 'Hello' },
    {
      timestamp: expect.any(String),
      role: 'assistant',
      content: 'Hi',
      tokens: { input_tokens: 10, output_tokens: 15, total_tokens: 25, total_cost: 0.0002 },
    },
    {
      timestamp: expect.any(String),
      role: 'tool',
      content: { content: 'File contents here' },
      tool_name: 'fs_read',
      tool_use_id: 'tool_use_123',
    },
  ])
  expect(JSON.parse(readFileSync(join(folderOf(id), 'metadata.json'), 'utf8'))).toMatchObject({
    id,
    model_id: 'gpt-5',
    system_prompt: 'Be kind.',
    working_directory: expect.any(String),
    message_count: 3,
    has_tasks: true,
    task_count: 1,
    completed_tasks: 1,
    failed_tasks: 0,
    token_usage: { input_tokens: 10, output_tokens: 15, total_tokens: 25, total_cost: 0.0002 },
  })
  const index = JSON.parse(readFileSync(join(folderOf('.'), 'index.json'), 'utf8'))
  expect(index.conversations).toMatchObject([{ id, message_count: 3, model_id: 'gpt-5' }])
  expect(folderOf(id)).toMatch(/\/[0-9a-f]{8}-vitest-cassette-store-\w+\//)
})

test('a half last line is told and left out, also once the conversation has gone on', async () => {
  const store = open()
  const { id } = await store.startConversation()
  await store.resumeConversation(id).addUserMessage('Hello')
  appendFileSync(join(folderOf(id), 'messages.jsonl'), '{"role":"assist')
  expect(store.readMessages(id)).toHaveLength(1)
  expect(problems).toMatchObject([{ kind: 'half-written-tail', line: 2 }])
  await store.resumeConversation(id).addAssistantMessage('Hi')
  expect(store.readMessages(id).map(({ content }) => content)).toEqual(['Hello', 'Hi'])
  expect(store.loadMetadata(id).message_count).toBe(2)
})

test('what was counted before a kill is put right by the next who reads or writes', async () => {
  const store = open()
  const { id } = await store.startConversation()
  const metadata = readFileSync(join(folderOf(id), 'metadata.json'), 'utf8')
  await store.resumeConversation(id).addAssistantMessage('Hi', { inputTokens: 1, outputTokens: 2 })
  // As if the process had ended between the line and its count.
  rmSync(join(folderOf(id), 'metadata.json'))
  appendFileSync(join(folderOf(id), 'metadata.json'), metadata)
  expect(store.loadMetadata(id)).toMatchObject({
    message_count: 1,
    token_usage: { total_tokens: 3 },
  })
  await store.resumeConversation(id).addUserMessage('Hello')
  expect(store.loadMetadata(id)).toMatchObject({
    message_count: 2,
    token_usage: { total_tokens: 3 },
  })
})

test.for([
  ['the lines, where as many are', 2, { task_count: 2, completed_tasks: 1, failed_tasks: 1 }],
  ['the metadata, where more are', 5, { task_count: 5, completed_tasks: 0, failed_tasks: 0 }],
] as const)('tasks are those of %s stated', ([, stated, tasks]) => {
  const folder = writeForeignStore(join(root, 'store'), root)
  const file = join(folder, FOREIGN_ID, 'metadata.json')
  const metadata = JSON.parse(readFileSync(file, 'utf8')) as object
  // As if the process had ended before it counted the last answers.
  const early = { ...metadata, task_count: stated, completed_tasks: 0, failed_tasks: 0 }
  writeFileSync(file, JSON.stringify(early))
  expect(open().loadMetadata(FOREIGN_ID)).toMatchObject(tasks)
})

test('what is exported into one file comes back, also into another workspace', async () => {
  writeForeignStore(join(root, 'store'), root)
  const store = open()
  const before = [store.readMessages(FOREIGN_ID), store.loadMetadata(FOREIGN_ID)]
  const file = join(root, 'backup.json')
  await store.exportConversation(FOREIGN_ID, file)
  const again = await failureOf(() => store.importConversation(file))
  expect(again).toContain(FOREIGN_ID)
  await expectGolden(steadily(again), 'there-already')
  await store.deleteConversation(FOREIGN_ID)
  expect(store.listConversations()).toEqual([])
  await store.importConversation(file)
  expect([store.readMessages(FOREIGN_ID), store.loadMetadata(FOREIGN_ID)]).toEqual(before)
  const other = open(join(root, 'elsewhere'))
  await other.importConversation(file)
  expect(other.readMessages(FOREIGN_ID)).toEqual(before[0])
  const none = await failureOf(() => store.importConversation(join(root, 'store')))
  await expectGolden(steadily(none), 'no-stored-conversation')
})

test('a workspace whose directory is gone is reached by its path and by the name of its folder', async () => {
  const gone = join(root, 'gone')
  const { id } = await open(gone).startConversation()
  expect(open(gone).listConversations()).toHaveLength(1)
  const [workspace] = open().workspaces()
  expect(workspace).toMatchObject({ directory: gone, exists: false, conversations: 1 })
  expect(open(workspace!.folder).loadMetadata(id).id).toBe(id)
})

test('a conversation that is deleted is gone for its writers too, and the id can begin again', async () => {
  const store = open()
  const conversation = await store.startConversation({ id: 'chat-1' })
  await expect(store.startConversation({ id: 'chat-1' })).rejects.toThrow("'chat-1' already")
  await store.deleteConversation('chat-1')
  const late = await failureOf(() => conversation.addUserMessage('Hello'))
  expect(late).toContain('chat-1')
  await expectGolden(steadily(late), 'deleted')
  expect(existsSync(folderOf('chat-1'))).toBe(false)
  await store.startConversation({ id: 'chat-1' })
  expect(store.readMessages('chat-1')).toEqual([])
})

test.for(['', '..', '../elsewhere', 'a/b', '.hidden'])('%j is no id', async (id) => {
  const store = open()
  const started = await failureOf(() => store.startConversation({ id }))
  const read = await failureOf(() => store.readMessages(id))
  for (const failure of [started, read]) expect(failure).toContain(`'${id}'`)
  const both = steadily(`${started}\n\n${read}`)
  await expectGolden(both, 'no-id', { [`'${id}'`]: "'<id>'" })
})

const broken = [
  [
    'no value of JSON',
    (store: ConversationStore) =>
      store.resumeConversation('a').addToolMessage('t', '1', undefined as never),
  ],
  [
    'half of the tokens',
    (store: ConversationStore) =>
      store.resumeConversation('a').addAssistantMessage('Hi', { inputTokens: 1 } as never),
  ],
] as const

test('each message that is refused has a reason', async () => {
  const store = open()
  await store.startConversation({ id: 'a' })
  const rows = broken.map(([what, add]) => [what, () => add(store)] as const)
  await expectGolden(await failuresOf(rows), 'refused-messages')
})

test.for(broken)('%s is refused, and nothing is written', async ([, add]) => {
  const store = open()
  await store.startConversation({ id: 'a' })
  await expect(add(store)).rejects.toThrow(coded('invalid-conversation'))
  expect(store.readMessages('a')).toEqual([])
})
