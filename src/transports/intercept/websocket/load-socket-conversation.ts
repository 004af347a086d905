import { loadLater } from '../../../real/load-later.ts'

/** Loads what talks over a WebSocket: most tests open none. */
export const loadSocketConversation: () => typeof import('./socket-conversation.ts') = loadLater(
  './socket-conversation.mjs',
  () => import('./socket-conversation.ts'),
)
