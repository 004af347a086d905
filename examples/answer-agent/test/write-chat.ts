// Adds exchanges to a chat until it has added enough, or is killed. All are alike: what follows a kill can be replayed.
import { ChatStore } from '../src/chat-store.ts'

const [folder, chatId, count] = process.argv.slice(2) as [string, string, string]
const chats = new ChatStore({ folder, log: () => {} })
for (let number = 0; number < Number(count); number++)
  await chats.add(chatId, 'a question', 'To a question')
