import OpenAI from 'openai'

const openai = new OpenAI({
  apiKey: 'sk-none',
  baseURL: `${process.env.ODD_URL}/v1`,
  maxRetries: 0,
})

export async function ask(content: string): Promise<string> {
  const messages = [{ role: 'user' as const, content }]
  const completion = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return completion.choices[0]!.message.content!
}
