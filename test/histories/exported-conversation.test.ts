import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { ConversationStore } from '../../src/histories/conversation-store.ts'

const ID = '0c8a1c56-1f7e-4f0c-9d0b-3a5b6a0d7e11'

async function exported(project: CliProject): Promise<string> {
  const store = new ConversationStore({ store: join(project.root, 'S'), workspace: project.root })
  const conversation = await store.startConversation({ id: ID, systemPrompt: 'Be kind.' })
  await conversation.addUserMessage('Where is my lamp?')
  await conversation.addAssistantMessage('It was shipped.')
  const file = join(project.root, 'talk.json')
  await store.exportConversation(ID, file)
  return file
}

test('an exported conversation is shown, and becomes the cassette of a test', async () => {
  using project = new CliProject()
  await exported(project)
  const shown = await project.run('show', 'talk.json')
  expect(shown).toMatchObject({ code: 0, problems: '' })
  for (const said of ['🧠 System: Be kind.', '> Where is my lamp?', '💬 It was shipped.'])
    expect(shown.out).toContain(said)
  const imported = await project.run('import', 'talk.json', '--test', 'a.test.ts > a')
  expect(imported).toMatchObject({ code: 0, problems: '' })
  const { exchanges } = JSON.parse(readFileSync(join(project.root, imported.out.trim()), 'utf8'))
  expect(exchanges).toMatchObject([
    { prompt: { text: 'Where is my lamp?' }, response: { text: 'It was shipped.' } },
  ])
})

test('what cannot be read of it is named, and the rest is imported', async () => {
  using project = new CliProject()
  const file = await exported(project)
  const { metadata, messages } = JSON.parse(readFileSync(file, 'utf8'))
  const bad = { ...messages[1], role: 'nobody' }
  writeFileSync(file, JSON.stringify({ metadata, messages: [...messages, bad] }))
  const words = ['talk.json', '--test', 'a.test.ts > a']
  const { code, problems } = await project.run('import', ...words)
  expect(problems).toContain('bad-line: talk.json/messages.jsonl, line 3: at /role')
  expect(code).toBe(1)
})
