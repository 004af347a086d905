// Adds messages to a conversation until it has added enough, or is killed.
import { ConversationStore } from 'vitest-cassette/conversations'

const [store, id, name, count] = process.argv.slice(2)
const conversations = new ConversationStore({ store, workspace: process.cwd() })
const own = await conversations.startConversation({ title: name })
const conversation = conversations.resumeConversation(id)
console.log('ready')
for (let number = 1; number <= Number(count); number++) {
  await conversation.addUserMessage(`${name} ${number} ${'.'.repeat(5_000)}`)
  await conversation.addAssistantMessage('Yes.', { inputTokens: 2, outputTokens: 1 })
  if (number % 5 === 0) await own.addUserMessage(`${number}`)
}
