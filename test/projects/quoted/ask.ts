import OpenAI from 'openai'

export const isRecording = process.env.RECORD !== undefined && process.env.CHANGED === undefined

/** As a file of the test sets it: the process of Vitest does not know it. */
process.env.SHOP_PASSWORD = ['zK4qLm8vT1', 'yRw0Xc6'].join('')

/** A key that the run knows, one that the test knows, and one that nobody knows. */
export const SECRETS = [
  process.env.OPENAI_API_KEY!,
  process.env.SHOP_PASSWORD,
  ['sk', 'proj', 'aB3dE6gH9'.repeat(5)].join('-'),
]

export async function ask(content: string, tool?: string): Promise<string> {
  const openai = new OpenAI({ baseURL: `${process.env.ENDPOINT}/v1`, maxRetries: 0 })
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content }],
    ...(tool === undefined ? {} : { tools: [{ type: 'function', function: { name: tool } }] }),
  })
  return completion.choices[0]!.message.content!
}
