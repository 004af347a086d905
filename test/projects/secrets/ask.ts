import OpenAI from 'openai'

/** Its key is that of the environment. */
export const openai = new OpenAI({ baseURL: `${process.env.ENDPOINT}/v1` })

export async function ask(content: string): Promise<string> {
  const messages = [{ role: 'user' as const, content }]
  const completion = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return completion.choices[0]!.message.content!
}

export async function askStreamed(content: string): Promise<string> {
  const messages = [{ role: 'user' as const, content }]
  const stream = await openai.chat.completions.create({ model: 'gpt-5', messages, stream: true })
  let answer = ''
  for await (const chunk of stream) answer += chunk.choices[0]?.delta?.content ?? ''
  return answer
}
