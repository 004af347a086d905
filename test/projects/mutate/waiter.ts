import OpenAI from 'openai'

const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1`,
  maxRetries: 0,
})

const tool = {
  type: 'function' as const,
  function: { name: 'reserve', parameters: { type: 'object', properties: { order: {} } } },
}

/** What a model wants to reserve. */
export async function reserve(wish: object): Promise<{ day?: string; guests?: number }> {
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: `Call it with ${JSON.stringify(wish)}` }],
    tools: [tool],
  })
  const { finish_reason: end, message } = choices[0]!
  const [call, another] = message.tool_calls ?? []
  if (end === 'length') throw new Error('The answer is not whole.')
  if (another) throw new Error('One table is enough.')
  if (!call || call.type !== 'function' || call.function.name !== 'reserve')
    throw new Error('Nothing is reserved.')
  return JSON.parse(call.function.arguments)
}

/** What a model says. */
export async function say(question: string): Promise<string> {
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: question }],
    stream: true,
  })
  let text = ''
  let end: string | null = null
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? ''
    end = choices[0]?.finish_reason ?? end
  }
  if (end !== 'stop') throw new Error(`The answer ended by ${end}.`)
  return text
}

/** What a model says of the table that it reserved. */
export async function reserveAndSay(wish: object): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: `Call it with ${JSON.stringify(wish)}` },
  ]
  for (;;) {
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-5',
      messages,
      tools: [tool],
    })
    const { message } = choices[0]!
    if (!message.tool_calls) return message.content!
    messages.push(message)
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: 'reserved' })
  }
}
