import Anthropic from '@anthropic-ai/sdk'
import { type Action, type Screen, SIZE } from './screen.ts'
import type { Step } from './trajectory.ts'

type Message = Anthropic.Beta.BetaMessageParam
type ToolResult = Anthropic.Beta.BetaToolResultBlockParam

/** How often a model is asked before the agent gives up. */
const MAX_STEPS = 20

/** How a task went. */
export interface Outcome {
  /** What the model said at last. */
  answer: string
  /** What it did, and where it got to. */
  steps: Step[]
}

/** Does on a screen what it is told: shows it to a model, does what that answers, and shows it again. */
export class ScreenAgent {
  readonly #anthropic = new Anthropic()
  readonly #screen: Screen

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /**
   * @throws Anthropic.APIError when the provider does not answer, after the retries of the SDK
   * @throws Error when the model asks for what cannot be done, or does not come to an end
   */
  async do(task: string): Promise<Outcome> {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: task }, await this.#picture()] },
    ]
    const steps: Step[] = []
    while (steps.length < MAX_STEPS) {
      const { content } = await this.#ask(messages)
      const calls = content.filter((block) => block.type === 'tool_use')
      if (calls.length === 0) return { answer: textOf(content), steps }
      const results: ToolResult[] = []
      for (const { id, input } of calls) {
        const action = input as Action
        await this.#screen.act(action)
        steps.push({ action, reached: await this.#screen.read() })
        results.push({ type: 'tool_result', tool_use_id: id, content: [await this.#picture()] })
      }
      messages.push({ role: 'assistant', content }, { role: 'user', content: results })
    }
    throw new Error(`The task is not done after ${MAX_STEPS} steps.`)
  }

  #ask(messages: Message[]): Promise<Anthropic.Beta.BetaMessage> {
    return this.#anthropic.beta.messages.create({
      model: 'claude-opus-4-5',
      max_tokens: 1024,
      betas: ['computer-use-2025-11-24'],
      tools: [
        {
          type: 'computer_20251124',
          name: 'computer',
          display_width_px: SIZE.width,
          display_height_px: SIZE.height,
        },
      ],
      messages,
    })
  }

  async #picture(): Promise<Anthropic.Beta.BetaImageBlockParam> {
    const data = await this.#screen.look()
    return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  }
}

function textOf(content: Anthropic.Beta.BetaContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
