import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConversationStore } from '../../src/histories/conversation-store.ts'
import { resumeConversation } from '../../src/histories/resume-conversation.ts'
import { FOREIGN_ID, writeForeignStore } from '../e2e/seeds/foreign-store.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { chatWire } from '../conversation/example-wires.ts'
import { coded, expectGolden } from '../golden.ts'
import { CliProject } from './run-cli.ts'

const STORE = ['--store', 'store']

function openProject(): CliProject {
  const project = new CliProject()
  writeForeignStore(join(project.root, 'store'), project.root)
  return project
}

function openStore({ root }: CliProject): ConversationStore {
  return new ConversationStore({ store: join(root, 'store'), workspace: root })
}

test('list, show and stats read a store that another program wrote', async () => {
  using project = openProject()
  const list = await project.run('show', ...STORE, '--json')
  expect([list.code, list.problems]).toEqual([0, ''])
  expect(JSON.parse(list.out)).toMatchObject([{ name: FOREIGN_ID, turns: 2, threads: 1 }])
  const { out } = await project.run('show', FOREIGN_ID, ...STORE)
  expect(out).toContain('You know planets.')
  expect(out).toMatch(
    /Turn 1[^]*I count\.[^]*count[^]*moons: 97[^]*no such planet[^]*97\.[^]*Turn 2[^]*Thank you\./,
  )
  const stats = JSON.parse((await project.run('show', '--stats', ...STORE, '--json')).out)
  expect(stats.tests).toMatchObject([{ turns: 2, inputTokens: 200, outputTokens: 40, cost: 0.01 }])
})

test('show --summary says who was asked, what was said, and what it took', async () => {
  using project = openProject()
  const { code, out } = await project.run('show', FOREIGN_ID, '--summary', ...STORE)
  expect([code, out]).toEqual([0, expect.any(String)])
  for (const line of [
    'model     anthropic.claude-3-5-sonnet-20241022-v2:0',
    'system    You know planets.',
    'time      2024-01-08T10:00:00Z to 2024-01-08T10:05:00Z',
    'tasks     2: 1 completed, 1 failed',
    'tokens    200 in, 40 out, 240 in all, cost $0.01',
    'asked     How many moons?',
    'answered  97.',
  ])
    expect(out).toContain(line)
})

test('resume gives the calls with what tools answered', async () => {
  using project = openProject()
  const { out } = await project.run('history', 'resume', FOREIGN_ID, ...STORE)
  const { messages } = JSON.parse(out)
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'tool',
    'assistant',
    'user',
  ])
  expect(messages[3]).toEqual({ role: 'tool', tool_call_id: 'use_1', content: '{"moons":97}' })
})

test('export writes a stored conversation into a file, delete asks, and import brings it back', async () => {
  using project = openProject()
  const store = openStore(project)
  const before = [store.readMessages(FOREIGN_ID), store.loadMetadata(FOREIGN_ID)]
  expect((await project.run('history', 'export', FOREIGN_ID, ...STORE, '--out', 'kept')).out).toBe(
    `kept/${FOREIGN_ID}.json\n`,
  )
  const asked = await project.run('history', 'delete', FOREIGN_ID, ...STORE)
  expect(asked.code).toBe(1)
  expect(store.listConversations()).toHaveLength(1)
  await expectGolden(asked.problems, 'nothing-deleted')
  expect((await project.run('history', 'delete', FOREIGN_ID, ...STORE, '--yes')).code).toBe(0)
  expect(store.listConversations()).toEqual([])
  const file = `kept/${FOREIGN_ID}.json`
  expect((await project.run('import', file, ...STORE)).code).toBe(0)
  expect([store.readMessages(FOREIGN_ID), store.loadMetadata(FOREIGN_ID)]).toEqual(before)
  const refused = await project.run('import', file, ...STORE)
  expect([refused.code, refused.problems]).toEqual([2, expect.stringContaining('--force')])
  expect((await project.run('import', file, ...STORE, '--force')).code).toBe(0)
})

test('a stored conversation becomes the cassette of a test that is named, and of no other', async () => {
  using project = openProject()
  await openStore(project).resumeConversation(FOREIGN_ID).addAssistantMessage('Gladly.')
  const refused = await project.run('import', FOREIGN_ID, ...STORE)
  expect([refused.code, refused.problems]).toEqual([2, expect.stringContaining('--test')])
  expect(existsSync(join(project.root, '__recordings__'))).toBe(false)
  const test = ['--test', 'a.test.ts > talks']
  const { code, out } = await project.run('history', 'resume', FOREIGN_ID, ...STORE, ...test)
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('npx vitest-cassette record --new a.test.ts'),
  ])
  const cassette = JSON.parse(readFileSync(join(project.root, out.split('\n')[0]!), 'utf8'))
  expect(cassette.conversation_id).toBe('a.test.ts > talks')
  expect(cassette.timestamp).toMatch(/^20[2-9]/)
})

test('a conversation that went on since it was exported is not overwritten, and is imported whole', async () => {
  using project = new CliProject()
  const turn = { question: 'one', arguments: {}, result: 'result', answer: 'first' }
  await project.save('a.test.ts/asks-0123456789.json', recordAgent(chatWire, [turn]))
  await project.run('history', 'export', ...STORE)
  const [id] = openStore(project)
    .listConversations()
    .map((one) => one.id)
  const conversation = openStore(project).resumeConversation(id!)
  await conversation.addUserMessage('two')
  await conversation.addAssistantMessage('second')
  const again = await project.run('history', 'export', ...STORE)
  expect([again.code, again.problems]).toEqual([1, expect.stringContaining(id!)])
  await expectGolden(again.problems, 'went-on')
  expect((await project.run('show', id!, ...STORE)).out).toMatch(/first[^]*Turn 2[^]*second/)
  await project.run('import', id!, ...STORE, '--test', 'b.test.ts > goes on')
  expect((await project.run('show', 'b.test.ts')).out).toMatch(/first[^]*Turn 2[^]*second/)
})

test('the conversations of a directory that is gone are listed, and reached by name', async () => {
  using project = new CliProject()
  const gone = join(project.root, 'gone')
  writeForeignStore(join(project.root, 'store'), gone)
  const [workspace] = JSON.parse(
    (await project.run('history', 'workspaces', ...STORE, '--json')).out,
  )
  expect(workspace).toMatchObject({ directory: gone, exists: false, conversations: 1 })
  expect((await project.run('history', 'workspaces', ...STORE)).out).toContain(`${gone} (gone)`)
  for (const name of [gone, workspace.folder]) {
    const { code, out } = await project.run('show', '--full', ...STORE, '--workspace', name)
    expect([code, out]).toEqual([0, expect.stringContaining('How many moons?')])
  }
})

test('a conversation of which nothing is known is not dated 1970', async () => {
  using project = openProject()
  const store = join(project.root, 'store')
  const { folder } = openStore(project).workspaces()[0]!
  rmSync(join(store, folder, FOREIGN_ID, 'metadata.json'))
  writeFileSync(join(store, folder, FOREIGN_ID, 'messages.jsonl'), '')
  const { out } = await project.run('show', ...STORE, '--json')
  expect(out).not.toContain('1970')
})

test.for([
  [['history', 'delete', 'a'], '--store'],
  [['history', 'delete', ...STORE], 'delete'],
  [
    ['history', 'delete', 'unknown', ...STORE, '--yes'],
    'vitest-cassette history list --store store',
  ],
  [['show', 'unknown', ...STORE], 'vitest-cassette show --store store'],
  [['history', 'workspaces'], '--store'],
  [['history', 'resume', 'a', '--test', 'a > b'], '--store'],
] as const)('%j is refused, and what to do is said', async ([words, said]) => {
  using project = openProject()
  const { code, problems } = await project.run(...words)
  expect([code, problems]).toEqual([2, expect.stringContaining(said)])
})

test('delete without an id says to name one', async () => {
  using project = openProject()
  const { problems } = await project.run('history', 'delete', ...STORE)
  await expectGolden(problems, 'delete-nothing')
})

test('what only the metadata knows is told: tasks beside the lines, the model before the first message', async () => {
  using project = openProject()
  const file = join(writeForeignStore(join(project.root, 'store'), project.root), FOREIGN_ID)
  const metadata = JSON.parse(readFileSync(join(file, 'metadata.json'), 'utf8'))
  const more = { ...metadata, task_count: 5, completed_tasks: 3 }
  writeFileSync(join(file, 'metadata.json'), JSON.stringify(more))
  const words = ['--summary', ...STORE]
  expect((await project.run('show', FOREIGN_ID, ...words)).out).toContain(
    'tasks     5: 3 completed, 1 failed',
  )
  const store = openStore(project)
  await store.startConversation({ id: 'new', model: 'gpt-5', systemPrompt: 'Be kind.' })
  const { out } = await project.run('show', 'new', ...words)
  expect(out).toMatch(/^model {5}gpt-5\nsystem {4}Be kind\.$/m)
  expect((await project.run('show', ...STORE)).out).toMatch(/^new .* gpt-5 /m)
})

test('a conversation without messages cannot be resumed, and the message says so', async () => {
  using project = openProject()
  await openStore(project).startConversation({ id: 'new' })
  const { code, problems } = await project.run('history', 'resume', 'new', ...STORE)
  expect(code).toBe(2)
  await expectGolden(problems, 'no-messages')
  const options = { store: join(project.root, 'store'), workspace: project.root }
  await expect(resumeConversation('new', options)).rejects.toThrow(coded('invalid-conversation'))
})
