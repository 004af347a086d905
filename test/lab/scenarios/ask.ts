import OpenAI from 'openai'

const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1`,
  maxRetries: 0,
})

/** What scenarios ask with. */
export async function ask(question: string): Promise<string> {
  const completion = await openai.chat.completions.create({
    model: process.env.MODEL ?? 'gpt-5',
    messages: [{ role: 'user', content: question }],
  })
  return completion.choices[0]!.message.content!
}
