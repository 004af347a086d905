import OpenAI from 'openai'
import { newChatId } from './chat.ts'
import { ChatStore, type ChatStoreOptions } from './chat-store.ts'

/** An answer, and the chat in which the next question can be asked. */
export interface Answer {
  chatId: string
  answer: string
}

const INSTRUCTIONS = 'You answer questions about the solar system, in one sentence.'

/** Answers questions in chats. */
export class AnswerAgent {
  readonly chats: ChatStore
  readonly #openai = new OpenAI()

  constructor(options: ChatStoreOptions = {}) {
    this.chats = new ChatStore(options)
  }

  /**
   * Asks a question in a chat, or begins one. A question without an answer is not stored.
   *
   * @throws OpenAI.APIError when the provider does not answer, after the retries of the SDK; Error when an answer is
   * empty or stops before its end
   */
  async ask(question: string, chatId: string = newChatId()): Promise<Answer> {
    const answer = await this.#complete(chatId, question)
    await this.chats.add(chatId, question, answer)
    return { chatId, answer }
  }

  async #complete(chatId: string, question: string): Promise<string> {
    const completion = await this.#openai.chat.completions.create({
      model: 'gpt-5-mini',
      prompt_cache_key: chatId,
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        ...(this.chats.get(chatId)?.messages ?? []),
        { role: 'user', content: question },
      ],
    })
    const { message, finish_reason: end } = completion.choices[0]!
    if (!message.content || end !== 'stop') throw new Error(`The answer is not whole: ${end}`)
    return message.content
  }
}
