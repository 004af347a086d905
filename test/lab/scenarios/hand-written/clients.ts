import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

/** Absent where all is replayed. */
export const live = process.env.LIVE_URL

export const openai = new OpenAI(live ? { baseURL: `${live}/v1` } : {})
export const anthropic = new Anthropic()

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }

const gpt = {
  model: 'gpt-5',
  tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
}
const claude = {
  model: 'claude-sonnet-5',
  max_tokens: 100,
  tools: [{ name: 'weather', input_schema: parameters }],
}

/** Asks, answers the calls of the model, and returns what it says at last. */
export type Agent = (question: string, weather: (city: string) => string) => Promise<string>

function gptAgent(
  send: (
    messages: OpenAI.ChatCompletionMessageParam[],
  ) => Promise<OpenAI.ChatCompletionMessage | undefined>,
): Agent {
  return async (question, weather) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
    for (;;) {
      const message = (await send(messages))!
      if (!message.tool_calls?.length) return message.content!
      messages.push(message)
      for (const call of message.tool_calls) {
        if (call.type !== 'function') throw new Error('no function')
        const { city } = JSON.parse(call.function.arguments) as { city: string }
        messages.push({ role: 'tool', tool_call_id: call.id, content: weather(city) })
      }
    }
  }
}

function claudeAgent(
  send: (messages: Anthropic.MessageParam[]) => Promise<Anthropic.Message>,
): Agent {
  return async (question, weather) => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
    for (;;) {
      const { content, stop_reason: reason, usage } = await send(messages)
      if (Number.isNaN(usage.input_tokens + usage.output_tokens)) throw new Error('no usage')
      if (reason === 'end_turn')
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      const results = content.flatMap((block) =>
        block.type === 'tool_use'
          ? { tool_use_id: block.id, city: (block.input as { city: string }).city }
          : [],
      )
      messages.push({ role: 'assistant', content })
      messages.push({
        role: 'user',
        content: results.map(({ tool_use_id, city }) => ({
          type: 'tool_result',
          tool_use_id,
          content: weather(city),
        })),
      })
    }
  }
}

export const agents: Record<string, Agent> = {
  openai: gptAgent(async (messages) => {
    const { choices } = await openai.chat.completions.create({ ...gpt, messages })
    return choices[0]!.message
  }),
  'openai streamed': gptAgent(async (messages) => {
    const { choices } = await openai.chat.completions
      .stream({ ...gpt, messages })
      .finalChatCompletion()
    return choices[0]!.message
  }),
  anthropic: claudeAgent((messages) => anthropic.messages.create({ ...claude, messages })),
  'anthropic streamed': claudeAgent((messages) =>
    anthropic.messages.stream({ ...claude, messages }).finalMessage(),
  ),
}
