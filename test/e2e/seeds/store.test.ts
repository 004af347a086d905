import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ConversationStore } from '../../../src/histories/conversation-store.ts'
import { startUpstream } from '../../upstream/start-upstream.ts'
import { VitestProject } from '../vitest-project.ts'

let project: VitestProject

beforeAll(() => {
  project = new VitestProject('goes-on')
})

function openStore(name: string): ConversationStore {
  return new ConversationStore({ store: join(project.dir, name), workspace: project.dir })
}

function startWriter(...args: string[]): ReturnType<typeof spawn> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return spawn(process.execPath, ['writer.mjs', ...args], { cwd: project.dir, stdio: [...stdio] })
}

test('two processes add to one conversation: no line is lost or torn, and all is counted', async () => {
  const store = openStore('two')
  const { id } = await store.startConversation({ id: 'shared' })
  const writers = ['one', 'two'].map((name) =>
    startWriter(join(project.dir, 'two'), id, name, '40'),
  )
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))
  expect(codes).toEqual([0, 0])
  const messages = store.readMessages(id)
  for (const name of ['one', 'two']) {
    const said = messages.flatMap(({ content }) => /^(\w+) (\d+) /.exec(String(content)) ?? [])
    const numbers = said.filter((_, at) => at % 3 === 2 && said[at - 1] === name)
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => String(at + 1)))
  }
  const [workspace] = store.workspaces()
  const folder = join(project.dir, 'two', workspace!.folder)
  // As other programs read it: from the files alone.
  const metadata = JSON.parse(readFileSync(join(folder, id, 'metadata.json'), 'utf8'))
  expect(metadata).toMatchObject({ message_count: 160, token_usage: { total_tokens: 240 } })
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  expect(index.conversations).toHaveLength(3)
  const listed = index.conversations.find((one: { id: string }) => one.id === id)
  expect(listed.message_count).toBe(160)
})

test('a conversation goes on after a kill, with every message that was added', async () => {
  const store = openStore('killed')
  const { id } = await store.startConversation()
  const writer = startWriter(join(project.dir, 'killed'), id, 'one', '100000')
  await once(writer.stdout!, 'data')
  while (store.readMessages(id).length < 20) await new Promise((next) => setTimeout(next, 5))
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  const before = store.readMessages(id).length
  const conversation = store.resumeConversation(id)
  await conversation.addUserMessage('Still there?')
  expect(store.readMessages(id)).toHaveLength(before + 1)
  expect(conversation.metadata.message_count).toBe(before + 1)
  expect(store.statistics(id).messageCount).toBe(before + 1)
  const folder = join(project.dir, 'killed', store.workspaces()[0]!.folder)
  expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toContain(id)
})

test('Resume conversations with full history: the next run with RECORD=new goes on from there', async () => {
  const upstream = await startUpstream()
  try {
    const store = openStore('told')
    const conversation = await store.startConversation({ systemPrompt: 'You know planets.' })
    await conversation.addUserMessage('How many moons?')
    await conversation.addAssistantMessage('97.')
    await conversation.addUserMessage('And rings?')
    await conversation.addAssistantMessage('Four.')
    const command = `history resume ${conversation.id} --store told --test 'talk.test.ts > talks'`
    const resumed = await project.shell(
      `node ../node_modules/vitest-cassette/dist/cli.mjs ${command}`,
    )
    expect(resumed.output).toContain('npx vitest-cassette record --new talk.test.ts')
    const env = { UPSTREAM_URL: upstream.oddUrl }
    const before = await upstream.count()
    const recording = await project.run(['talk.test.ts'], { ...env, RECORD: 'new' })
    expect(recording.exitCode, recording.output).toBe(0)
    expect((await upstream.count()) - before).toBe(1)
    expect(recording.output).toContain('2 replayed | 1 recorded')
    await upstream.stop()
    const replay = await project.run(['talk.test.ts'], env)
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toContain('3 replayed')
  } finally {
    await upstream.stop()
  }
})
