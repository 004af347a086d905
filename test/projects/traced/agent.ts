import OpenAI from 'openai'

const SYSTEM = 'You decide on refunds. Look up the order and its customer first.'

const TOOLS: Record<string, [description: string, field: string, result: unknown]> = {
  look_up_order: ['Finds an order.', 'order', { item: 'lamp', price: 40, customer: 'c-7' }],
  look_up_customer: ['Finds a customer.', 'customer', { name: 'Ada', refunds: 0 }],
  refund: ['Gives the money of an order back.', 'order', 'refunded'],
}

/** The agent of which the trace is: its answers to questions of one conversation. */
export async function runAgent(...questions: string[]): Promise<string[]> {
  const { UPSTREAM_URL } = process.env
  const openai = new OpenAI({
    apiKey: 'sk-none',
    maxRetries: 0,
    ...(UPSTREAM_URL ? { baseURL: `${UPSTREAM_URL}/v1` } : {}),
  })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: SYSTEM }]
  const answers: string[] = []
  for (const content of questions) {
    messages.push({ role: 'user', content })
    for (;;) {
      const { choices } = await openai.chat.completions.create({
        model: 'gpt-4.1',
        messages: [...messages],
        tools: Object.entries(TOOLS).map(([name, [description, field]]) => ({
          type: 'function' as const,
          function: { name, description, parameters: parametersOf(field) },
        })),
        temperature: 0.2,
        max_tokens: 200,
      })
      const { message } = choices[0]!
      messages.push(message)
      if (!message.tool_calls?.length) {
        answers.push(message.content ?? '')
        break
      }
      for (const call of message.tool_calls) {
        const result = TOOLS[(call as { function: { name: string } }).function.name]![2]
        const text = typeof result === 'string' ? result : JSON.stringify(result)
        messages.push({ role: 'tool', tool_call_id: call.id, content: text })
      }
    }
  }
  return answers
}

function parametersOf(field: string): Record<string, unknown> {
  const properties = { [field]: { type: 'string' } }
  return { type: 'object', properties, required: [field], additionalProperties: false }
}
