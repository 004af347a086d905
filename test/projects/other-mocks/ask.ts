import axios from 'axios'
import OpenAI from 'openai'

const PROVIDER = 'https://api.openai.com/v1'

/** Asks by fetch. */
export async function ask(question: string): Promise<string> {
  const openai = new OpenAI({ apiKey: 'sk-test', baseURL: PROVIDER, maxRetries: 0 })
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: question }],
  })
  return completion.choices[0]!.message.content!
}

/** Asks by `node:https`. */
export async function askByHttps(question: string): Promise<string> {
  const messages = [{ role: 'user', content: question }]
  const { data } = await axios.post(
    `${PROVIDER}/chat/completions`,
    { model: 'gpt-5', messages },
    { adapter: 'http' },
  )
  return data.choices[0].message.content
}

/** What mocks answer. */
export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-5',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Mocked.' } },
  ],
}
