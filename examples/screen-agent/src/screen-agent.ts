import { setTimeout as wait } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { type Action, type Screen, SIZE } from './screen.ts'
import type { Step } from './trajectory.ts'

type Message = Anthropic.Beta.BetaMessageParam
type ToolResult = Anthropic.Beta.BetaToolResultBlockParam

const TOOL = 'computer'
const MAX_TOKENS = 1024

/** Options of an agent. */
export interface Manner {
  /** The pause before an action, for pages that need one. @default 0 */
  delayMs?: number
  /** How many actions it takes before it gives up. @default 20 */
  maxSteps?: number
  /** Ends the task if it returns true, before the model is asked again. */
  stopWhen?: (last: Step) => boolean
}

/** The result of a task. */
export interface Outcome {
  /** The last text of the model; empty if the task was stopped. */
  answer: string
  /** The actions of the agent, and the page after each. */
  steps: Step[]
}

/** Does a task on a screen: shows the screen to a model, performs the actions that it requests, and shows it again. */
export class ScreenAgent {
  readonly #anthropic = new Anthropic()
  readonly #screen: Screen
  readonly #manner: Required<Manner>

  constructor(screen: Screen, manner: Manner = {}) {
    this.#screen = screen
    this.#manner = { delayMs: 0, maxSteps: 20, stopWhen: () => false, ...manner }
  }

  /**
   * @throws Anthropic.APIError when the provider does not answer, after the retries of the SDK
   * @throws Error when the model requests an unknown tool or action, is cut off, or needs more than `maxSteps`
   */
  async do(task: string): Promise<Outcome> {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: task }, await this.#picture()] },
    ]
    const { delayMs, maxSteps, stopWhen } = this.#manner
    const steps: Step[] = []
    while (steps.length < maxSteps) {
      const { content, stop_reason } = await this.#ask(messages)
      if (stop_reason === 'max_tokens')
        throw new Error(`The answer is cut: it needs more than ${MAX_TOKENS} tokens.`)
      const calls = content.filter((block) => block.type === 'tool_use')
      if (calls.length === 0) return { answer: textOf(content), steps }
      const results: ToolResult[] = []
      for (const { id, name, input } of calls) {
        if (name !== TOOL) throw new Error(`There is no tool ${JSON.stringify(name)}.`)
        const action = input as Action
        await wait(delayMs)
        await this.#screen.act(action)
        const step = { action, reached: await this.#screen.read() }
        steps.push(step)
        if (stopWhen(step)) return { answer: '', steps }
        results.push({ type: 'tool_result', tool_use_id: id, content: [await this.#picture()] })
      }
      messages.push({ role: 'assistant', content }, { role: 'user', content: results })
    }
    throw new Error(`The task is not done after ${maxSteps} steps.`)
  }

  #ask(messages: Message[]): Promise<Anthropic.Beta.BetaMessage> {
    return this.#anthropic.beta.messages.create({
      model: 'claude-opus-4-5',
      max_tokens: MAX_TOKENS,
      betas: ['computer-use-2025-11-24'],
      tools: [
        {
          type: 'computer_20251124',
          name: TOOL,
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
