import OpenAI from 'openai'
import { Chat } from './chat.ts'
import { ChatStore } from './chat-store.ts'

/** An answer, and the chat in which the next question can be asked. */
export interface Answer {
  chatId: string
  answer: string
}

const INSTRUCTIONS = 'You answer questions about the solar system, in one sentence.'

/** Answers questions in chats. */
export class AnswerAgent {
  readonly chats = new ChatStore()
  readonly #openai = new OpenAI()

  /**
   * Asks in a chat, or begins one. What could not be answered is not remembered.
   *
   * @throws UnknownChat
   * @throws OpenAI.APIError when the provider does not answer, after the retries of the SDK
   */
  async ask(question: string, chatId?: string): Promise<Answer> {
    const chat = chatId === undefined ? new Chat() : this.chats.get(chatId)
    const answer = await this.#complete(chat, question)
    chat.add({ question, answer })
    this.chats.keep(chat)
    return { chatId: chat.id, answer }
  }

  async #complete({ id, history }: Chat, question: string): Promise<string> {
    const completion = await this.#openai.chat.completions.create({
      model: 'gpt-5-mini',
      prompt_cache_key: id,
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        ...history.flatMap((past): OpenAI.ChatCompletionMessageParam[] => [
          { role: 'user', content: past.question },
          { role: 'assistant', content: past.answer },
        ]),
        { role: 'user', content: question },
      ],
    })
    return completion.choices[0]?.message.content ?? ''
  }
}
