import OpenAI from 'openai'
import { findInHandbook } from './vector-store.ts'
import { searchWeb } from './web-search.ts'

/** Below this similarity, the handbook does not know the answer. */
const ENOUGH = 0.9

const INSTRUCTIONS = 'Answer in one sentence, from the sources alone. Name the source in brackets.'

/** Answers from the handbook, and from the web where the handbook knows nothing. */
export class RagAgent {
  readonly #openai = new OpenAI()

  /** @throws Error when one of the services does not answer */
  async ask(question: string): Promise<string> {
    const passages = await findInHandbook(await this.#embed(question))
    const known = passages.filter(({ score }) => score >= ENOUGH).map(({ text }) => text)
    const sources = known.length > 0 ? known : await searchWeb(question)
    const completion = await this.#openai.chat.completions.create({
      model: 'gpt-5-mini',
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: [...sources, question].join('\n\n') },
      ],
    })
    return completion.choices[0]!.message.content ?? ''
  }

  async #embed(input: string): Promise<number[]> {
    const model = 'text-embedding-3-small'
    const { data } = await this.#openai.embeddings.create({ model, input })
    return data[0]!.embedding
  }
}
