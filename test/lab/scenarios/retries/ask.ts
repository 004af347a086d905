import OpenAI from 'openai'

/** Asks the odd server. */
export async function ask(question: string, maxRetries = 0): Promise<string> {
  const openai = new OpenAI({
    apiKey: 'sk-test-key-that-is-not-one',
    baseURL: `${process.env.ODD_URL}/v1`,
    maxRetries,
  })
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: question }],
  })
  return completion.choices[0]!.message.content!
}
