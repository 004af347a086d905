/** What the agent is told, asked and given: the same under every emitter. */
export const SYSTEM = 'You decide on refunds. Look up the order and its customer first.'

export const QUESTIONS: readonly string[] = [
  'My lamp from order 1042 arrived broken. I want my money back.',
  'When will it arrive?',
]

/** The question that the provider refuses with 429. */
export const BUSY = 'Are you busy?'

export interface AgentTool {
  name: string
  description: string
  parameters: object
  run(input: Record<string, unknown>): unknown
}

export const TOOLS: readonly AgentTool[] = [
  tool('look_up_order', 'Finds an order.', 'order', { item: 'lamp', price: 40, customer: 'c-7' }),
  tool('look_up_customer', 'Finds a customer.', 'customer', { name: 'Ada', refunds: 0 }),
  tool('refund', 'Gives the money of an order back.', 'order', 'refunded'),
]

function tool(name: string, description: string, field: string, result: unknown): AgentTool {
  const parameters = {
    type: 'object',
    properties: { [field]: { type: 'string' } },
    required: [field],
    additionalProperties: false,
  }
  return { name, description, parameters, run: () => result }
}

/** Runs a tool that the model called; its result as a text. */
export function runTool(name: string, input: Record<string, unknown>): string {
  const result = TOOLS.find((one) => one.name === name)!.run(input)
  return typeof result === 'string' ? result : JSON.stringify(result)
}

/** How the agent is run. */
export interface Run {
  /** `plain`, `stream`, or `error`. */
  variant: 'plain' | 'stream' | 'error'
}

export function questionsOf({ variant }: Run): readonly string[] {
  return variant === 'error' ? [BUSY] : QUESTIONS
}

/** What the model says at a step: the same on every wire. */
export interface Said {
  text?: string
  calls?: Array<{ id: string; name: string; input: object }>
}

/** The answer of the model, by how many results of tools it has been given, and whether the last word is one of them. */
export function saidAfter(results: number, isResultLast: boolean): Said {
  if (results === 0)
    return {
      text: 'Let me look.',
      calls: [
        { id: 'call_1', name: 'look_up_order', input: { order: '1042' } },
        { id: 'call_2', name: 'look_up_customer', input: { customer: 'c-7' } },
      ],
    }
  if (results === 2) return { calls: [{ id: 'call_3', name: 'refund', input: { order: '1042' } }] }
  return { text: isResultLast ? 'You get 40 euros back, Ada.' : 'In three days.' }
}
