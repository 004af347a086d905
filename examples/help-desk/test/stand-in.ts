import type { LLMock } from '@copilotkit/aimock'

const PORT = 4040

/** Leads the SDKs to the stand-in. */
export const STAND_IN = {
  OPENAI_BASE_URL: `http://127.0.0.1:${PORT}/v1`,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${PORT}`,
}

/** What the stand-in answers to a customer who asks for an order, when it has looked it up. */
const ANSWERS: Record<number, string> = {
  7: 'Your desk lamp is on its way, and arrives on 3 May.',
  8: 'Your floor lamp waits for your payment.',
}

/** Starts a server with the APIs of OpenAI and Anthropic and fixed answers. Their ids and dates are new each time. */
export async function startStandIn(): Promise<LLMock> {
  const { LLMock } = await import('@copilotkit/aimock')
  const mock = new LLMock({ port: PORT, logLevel: 'silent', chunkSize: 8 })
  const usage = { input_tokens: 120, output_tokens: 15, total_tokens: 135 }
  mock.on({ userMessage: /^user: / }, { content: 'Asked for order 7; it arrives on 3 May.', usage })
  for (const [order, content] of Object.entries(ANSWERS)) {
    const userMessage = new RegExp(`order ${order}`)
    const call = { name: 'look_up_order', arguments: JSON.stringify({ order: Number(order) }) }
    mock.on({ userMessage, hasToolResult: false }, { toolCalls: [call], usage })
    mock.on({ userMessage, hasToolResult: true }, { content, usage })
  }
  await mock.start()
  return mock
}
