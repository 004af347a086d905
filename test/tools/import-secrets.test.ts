import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConversationStore } from '../../src/histories/conversation-store.ts'
import { expectGolden } from '../golden.ts'
import { CliProject } from './run-cli.ts'

const KNOWN = 'k3y-of-the-shop-0123456789'
// Made up here, so that no file holds what looks like one.
const ISSUED = `sk-ant-api03-${'aB3dE6gH9jK2mN5pQ8rS'.repeat(5).slice(0, 93)}AA`
const TEST = 'a.test.ts > asks'
const TIME = '2026-01-01T00:00:00Z'

/** The same talk in each form that can be imported, with a text in a question and in an answer. */
const FORMS: Record<string, (said: string) => unknown> = {
  history: (said) => ({
    version: '1.0',
    conversation_id: TEST,
    timestamp: TIME,
    exchanges: [{ prompt: { text: `Is ${said} valid?` }, response: { text: `${said} is.` } }],
  }),
  context: (said) => [
    { index: 0, turn: 0, timestamp: TIME, role: 'user', content: { userid: 'a', text: said } },
    { index: 1, turn: 1, timestamp: TIME, role: 'assistant', content: `${said} is.` },
  ],
}

async function importTalk(
  project: CliProject,
  form: string,
  said: string,
): Promise<Awaited<ReturnType<CliProject['run']>>> {
  if (form !== 'store') {
    writeFileSync(join(project.root, 'talk.json'), JSON.stringify(FORMS[form]!(said)))
    return project.run('import', 'talk.json', '--test', TEST)
  }
  const store = new ConversationStore({
    store: join(project.root, 'store'),
    workspace: project.root,
  })
  const conversation = await store.startConversation({ id: 'talk' })
  await conversation.addUserMessage(`Is ${said} valid?`)
  await conversation.addAssistantMessage(`${said} is.`)
  return project.run('import', 'talk', '--store', 'store', '--test', TEST)
}

const forms = [...Object.keys(FORMS), 'store']

test.for(forms)('%s: a known value is replaced, as recording does', async (form) => {
  using project = new CliProject()
  project.env.SHOP_API_KEY = KNOWN
  const { code, out, problems } = await importTalk(project, form, KNOWN)
  expect([code, problems.includes(KNOWN)]).toEqual([0, false])
  const text = readFileSync(join(project.root, out.trim()), 'utf8')
  expect(text).not.toContain(KNOWN)
  expect(text).toContain('<REDACTED:SHOP_API_KEY> is.')
})

test.for(forms)('%s: what looks like a credential is refused, with its place', async (form) => {
  using project = new CliProject()
  const { code, problems } = await importTalk(project, form, ISSUED)
  expect(code).toBe(1)
  expect(problems).toMatch(/: anthropic at \//)
  await expectGolden(problems.replace(/^talk\S*/, '<file>'), 'refused')
  expect(problems).toMatch(/found {2}\/exchanges\/0\/\S+: sk-ant….*, by the rule anthropic/)
  expect(problems).not.toContain(ISSUED)
  expect(existsSync(join(project.root, '__recordings__'))).toBe(false)
})

test.for(forms)('%s: what holds neither is imported as it is', async (form) => {
  using project = new CliProject()
  project.env.SHOP_API_KEY = KNOWN
  const { code, out } = await importTalk(project, form, 'a number like 12.50')
  expect(code).toBe(0)
  expect(readFileSync(join(project.root, out.trim()), 'utf8')).toContain('a number like 12.50 is.')
})
