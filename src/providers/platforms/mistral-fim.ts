import { readAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { readInputPrompt } from '../kit/embedded-input.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { openaiChatFormat } from '../openai/openai-chat.ts'
import { writeChatAnswer } from '../openai/openai-chat-write.ts'

/** Mistral's filling of a gap in code: the request is like a completion, the answer like a chat. */
export const mistralFim: Dialect = {
  name: 'mistral-fim',

  claims(request) {
    const { model, prompt } = bodyOf(request)
    const asks = typeof model === 'string' && typeof prompt === 'string'
    return isSentTo(request, '/fim/completions') && asks
  },

  readPrompt(request) {
    return readInputPrompt(request, 'text_completion', 'prompt')
  },

  readCompletion: (response) => readAnswer(response, openaiChatFormat),

  writeCompletion: writeChatAnswer,
}
