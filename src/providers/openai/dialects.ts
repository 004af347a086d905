import type { Dialect } from '../dialect.ts'
import { asSent } from '../kit/as-sent.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiRealtimeSession } from './openai-realtime-session.ts'
import { openaiRealtime } from './openai-realtime.ts'
import { openaiResponses } from './openai-responses.ts'
import { OPENAI_PATHS } from './openai.ts'

/** Speech, pictures, videos and moderations. Azure has the model in the path. */
const openaiMedia = asSent(
  OPENAI_PATHS,
  'openai-media',
  ({ model, prompt, input }, path) =>
    typeof model === 'string' || (prompt ?? input) !== undefined || path.includes('/deployments/'),
)

export const openaiDialects: readonly Dialect[] = [
  openaiChat,
  openaiResponses,
  openaiRealtime,
  openaiRealtimeSession,
  openaiEmbeddings,
  openaiMedia,
  openaiCompletions,
]
