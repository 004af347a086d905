// Adds exchanges to a chat until the count is reached, or the process is killed. All are equal, so that the requests
// after a kill can be replayed.
import { ChatStore } from '../src/chat-store.ts'

const [folder, chatId, count] = process.argv.slice(2) as [string, string, string]
const chats = new ChatStore({ folder, log: () => {} })
for (let number = 0; number < Number(count); number++)
  await chats.add(chatId, 'a question', 'To a question')
