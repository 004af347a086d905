import OpenAI from 'openai'

type Messages = OpenAI.ChatCompletionMessageParam[]

const TOOL = {
  type: 'function' as const,
  function: {
    name: 'look_up_order',
    parameters: { type: 'object', properties: { order: { type: 'number' } } },
  },
}

function client(): OpenAI {
  const baseURL = `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1`
  return new OpenAI({ apiKey: 'sk-none', baseURL, maxRetries: 0 })
}

export async function ask(content: string, more: object = {}): Promise<string> {
  const messages: Messages = [{ role: 'user', content }]
  const answer = await client().chat.completions.create({ model: 'gpt-5', messages, ...more })
  return answer.choices[0]!.message.content!
}

/** Streams an answer to its end. */
export async function stream(content: string): Promise<string> {
  const messages: Messages = [{ role: 'user', content }]
  const chunks = await client().chat.completions.create({ model: 'gpt-5', messages, stream: true })
  let text = ''
  for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ''
  return text
}

/** Answers with the help of a tool, and goes on with the same conversation. */
export class Agent {
  readonly #messages: Messages = [{ role: 'system', content: 'You help with orders. Be kind.' }]

  async answer(question: string): Promise<string> {
    this.#messages.push({ role: 'user', content: question })
    for (;;) {
      const answer = await client().chat.completions.create({
        model: 'gpt-5',
        messages: this.#messages,
        tools: [TOOL],
      })
      const { message } = answer.choices[0]!
      this.#messages.push(message)
      if (!message.tool_calls) return message.content!
      for (const { id } of message.tool_calls)
        this.#messages.push({ role: 'tool', tool_call_id: id, content: 'Order 7 was shipped.' })
    }
  }
}
