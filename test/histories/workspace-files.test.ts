import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConversationStore } from '../../src/histories/conversation-store.ts'
import { WorkspaceFolder } from '../../src/histories/workspace-folder.ts'

const UUID = '0c8a1c56-1f7e-4f0c-9d0b-3a5b6a0d7e11'
const STARRED = { id: 'first', starred: true }
/** No process has it: Linux gives none as great. */
const GONE = 99_999_999

async function openStore(): Promise<{ store: ConversationStore; folder: string }> {
  const root = mkdtempSync(join(tmpdir(), 'cassette-workspace-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const store = new ConversationStore({ store: root, workspace: root })
  await store.startConversation({ id: 'first' })
  return { store, folder: join(root, store.workspaces()[0]!.folder) }
}

/** What a writer leaves that is killed between two of its files. */
function leave(folder: string, name: string, isFolder: boolean): string {
  const path = join(folder, name)
  if (isFolder) mkdirSync(path)
  writeFileSync(isFolder ? join(path, 'messages.jsonl') : path, 'half')
  return name
}

test('what writers left that were killed goes when the next conversation begins, or goes on', async () => {
  const { store, folder } = await openStore()
  leave(folder, `.second.${GONE}-${UUID}.tmp`, true)
  leave(folder, `.index.json.${GONE}-${UUID}.tmp`, false)
  leave(join(folder, 'first'), `.metadata.json.${GONE}-${UUID}.tmp`, false)
  const kept = [
    // Its writer lives.
    leave(folder, `.third.${process.pid}-${UUID}.tmp`, true),
    leave(folder, '.hidden.tmp', true),
    leave(folder, 'notes.tmp', false),
  ]
  await store.startConversation({ id: 'second' })
  await store.resumeConversation('first').addUserMessage('Hello?')
  expect(readdirSync(folder).toSorted()).toEqual(
    [...kept, 'first', 'index.json', 'second'].toSorted(),
  )
  expect(readdirSync(join(folder, 'first')).toSorted()).toEqual(['messages.jsonl', 'metadata.json'])
})

test('what takes longer than an hour is left, whoever has the number of its process now', async () => {
  const { store, folder } = await openStore()
  const name = leave(folder, `.second.${process.pid}-${UUID}.tmp`, true)
  const before = new Date(Date.now() - 2 * 60 * 60_000)
  utimesSync(join(folder, name), before, before)
  await store.startConversation({ id: 'second' })
  expect(readdirSync(folder)).not.toContain(name)
})

test('an index keeps what another program has in it, as long as the conversation is there', async () => {
  const { store, folder } = await openStore()
  const file = join(folder, 'index.json')
  const read = () => JSON.parse(readFileSync(file, 'utf8'))
  const { conversations, ...head } = read()
  const others = [
    { ...conversations[0], starred: true, title: 'old' },
    { id: 'gone', starred: true },
  ]
  writeFileSync(file, JSON.stringify({ ...head, theme: 'dark', conversations: others }))
  await store.resumeConversation('first').addUserMessage('Hello?')
  expect(read()).toMatchObject({ ...head, theme: 'dark' })
  expect(read().conversations).toEqual([
    { ...conversations[0], starred: true, message_count: 1, updated_at: expect.any(String) },
  ])
})

test.for(['not JSON', '[]', '{"conversations":[{"name":"a"}]}'])(
  'an index that is none is written anew: %s',
  async (text) => {
    const { store, folder } = await openStore()
    const file = join(folder, 'index.json')
    writeFileSync(file, text)
    await store.startConversation({ id: 'second' })
    const { conversations } = JSON.parse(readFileSync(file, 'utf8'))
    expect(conversations.map(({ id }: { id: string }) => id)).toEqual(['first', 'second'])
  },
)

test.for<[what: string, given: unknown, entriesOf: (index: any) => unknown[]]>([
  ['a list', [STARRED], (index) => index],
  [
    'an object of entries',
    { conversations: { first: STARRED }, theme: 'dark' },
    (index) => Object.values(index.conversations),
  ],
  ['an object of entries alone', { first: STARRED }, Object.values],
])('the index of another program stays %s', async ([, given, entriesOf]) => {
  const { store, folder } = await openStore()
  const file = join(folder, 'index.json')
  const read = () => JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(given))
  await store.resumeConversation('first').addUserMessage('Hello?')
  expect(entriesOf(read())).toMatchObject([{ ...STARRED, message_count: 1 }])
  if (!Array.isArray(given))
    expect(Object.keys(read())).toEqual(expect.arrayContaining(Object.keys(given as object)))
  await store.startConversation({ id: UUID })
  await store.deleteConversation('first')
  expect(entriesOf(read())).toMatchObject([{ id: UUID, message_count: 0 }])
})

test('an index of ids stays one', async () => {
  const { store, folder } = await openStore()
  const file = join(folder, 'index.json')
  writeFileSync(file, '["first"]')
  await store.startConversation({ id: 'second' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(['first', 'second'])
})

test('files that begin with a byte order mark are read', async () => {
  const { store, folder } = await openStore()
  for (const name of ['first/metadata.json', 'index.json']) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), `\uFEFF${text}`)
  }
  const { problems } = new WorkspaceFolder(dirname(folder), basename(folder)).read('first')
  expect(problems).toEqual([])
  await store.startConversation({ id: 'second' })
  expect(readFileSync(join(folder, 'index.json'), 'utf8')).toContain('"first"')
})
