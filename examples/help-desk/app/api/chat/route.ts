import { openai } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { z } from 'zod'
import { findOrder } from '../../../src/orders'

const tools = {
  look_up_order: tool({
    description: 'Looks up an order of the customer.',
    inputSchema: z.object({ order: z.number() }),
    execute: ({ order }) => findOrder(order) ?? 'There is no such order.',
  }),
}

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: UIMessage[] }
  const { stream } = streamText({
    model: openai('gpt-5-mini'),
    instructions: 'You are the help desk of a lamp shop. Answer in one sentence.',
    messages: await convertToModelMessages(messages),
    tools,
    stopWhen: isStepCount(3),
  })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) })
}
