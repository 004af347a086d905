import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConversationStore, type NewMessage } from '../../src/histories/conversation-store.ts'
import { resumeConversation } from '../../src/histories/resume-conversation.ts'
import { expectGolden, failuresOf } from '../golden.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vitest-cassette-messages-'))
})

afterEach(() => rmSync(root, { recursive: true }))

const open = (): ConversationStore =>
  new ConversationStore({ store: join(root, 'store'), workspace: root })

test('messages are counted by the role of their lines, also where a tool answers no call', async () => {
  const store = open()
  const conversation = await store.startConversation({ model: 'gpt-5' })
  await conversation.addUserMessage('Where is my lamp?')
  await conversation.addToolMessage('look_up_order', 'call_1', { state: 'shipped' })
  await conversation.addAssistantMessage('It was shipped.')
  expect(store.statistics(conversation.metadata.id)).toMatchObject({
    messageCount: 3,
    userMessages: 1,
    assistantMessages: 1,
    toolMessages: 1,
  })
})

test('messages may have the field names of the files, calls with their arguments, and no other field', async () => {
  const conversation = await open().startConversation({ model: 'gpt-5' })
  const calls = [{ id: 'call_1', name: 'look_up', parameters: { order: 7 } }]
  await conversation.addMessages([
    { role: 'user', content: 'Where is order 7?' },
    { role: 'assistant', content: '', toolCalls: calls },
    { role: 'tool', content: 'shipped', tool_name: 'look_up', tool_use_id: 'call_1' },
    { role: 'assistant', content: 'Shipped.', tool_calls: [] },
  ])
  expect(conversation.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: calls },
    { role: 'tool', tool_name: 'look_up', tool_use_id: 'call_1' },
    { role: 'assistant', tool_calls: [] },
  ])
  const { messages } = await resumeConversation(conversation.id, {
    store: join(root, 'store'),
    workspace: root,
  })
  expect(JSON.stringify(messages)).toContain(String.raw`{\"order\":7}`)
  const wrong = { role: 'tool', content: 'ok', toolName: 'look_up' } as unknown as NewMessage
  const robot = { role: 'robot', content: 'x' } as unknown as NewMessage
  const refused = await failuresOf([
    ['a field of no message', () => conversation.addMessages([wrong])],
    ['a role of no message', () => conversation.addMessages([robot])],
  ])
  expect(refused).toMatch(/ toolName\..* content, name, toolUseId[^]* robot\./)
  await expectGolden(refused, 'refused')
  expect(conversation.messages).toHaveLength(4)
})
