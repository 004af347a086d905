import type { ToolCallSummary, WrittenResponse } from '../../../cassette/cassette.ts'
import type { Prompt } from '../../../prompt/prompt.ts'

/** One call of a model, as far as a trace holds it. Nothing in it is guessed. */
export interface ModelCall {
  traceId: string
  spanId: string
  /** The name of its span. */
  name: string
  /** What wrote the span, for people: `OpenInference`, `the AI SDK`, … */
  emitter: string
  /** ISO 8601; absent where the trace has no times. */
  start?: string
  durationMs?: number
  /** The agent that asked: its span, or the trace where no agent is told. */
  thread: { id: string; name?: string }
  /** The id of the conversation or the session, where the trace tells one. */
  conversation?: string
  prompt: HeldPrompt
  answer: HeldAnswer
  streamed?: boolean
  /** The dialect that was spoken, where the provider or the id of the answer tells it. */
  dialect?: string
  /** What the tracer left out, and what therefore must not be compared. */
  notHeld: NotHeld[]
  /** Parameters that the SDK may have left out of the request: compared with a request that has them. */
  ifSent?: string[]
  /** The texts of which the trace holds only a piece. They stand as they are in the prompt and in the answer. */
  cut: CutText[]
}

/** As much of a prompt as the trace holds. Instructions are the first messages, with the role `system`. */
export interface HeldPrompt extends Partial<
  Pick<Prompt, 'provider' | 'operation' | 'model' | 'messages' | 'tools' | 'parameters'>
> {
  /** The trace holds the whole request: what is absent was not asked. */
  isWhole?: true
}

export interface HeldAnswer extends Omit<WrittenResponse, 'tool_calls'> {
  tool_calls?: HeldToolCall[]
  /** The further choices that the model gave, in order. */
  otherChoices?: HeldChoice[]
  /** The calls of tools are those that the next prompt repeats: the tracer lost them in the answer. */
  isRestored?: true
}

export type HeldChoice = Pick<HeldAnswer, 'text' | 'reasoning' | 'tool_calls'>

/** A call of a tool; its parameters are `null` where the trace lacks them. */
export interface HeldToolCall extends ToolCallSummary {
  id?: string
}

/** A part of a call that a trace can lack. */
export type NotHeld =
  | 'messages'
  | 'instructions'
  | 'tools'
  | 'parameters'
  | 'model'
  | 'answer'
  | 'arguments'
  | 'status'
  | 'files'
  | 'choices'
  | 'count'
  | 'limit'

/** A text of which a tracer kept a piece. */
export interface CutText {
  /** As it stands in the prompt or in the answer. */
  text: string
  /** The beginning that was kept, without the mark of the cut; empty for a text that was redacted. */
  kept: string
  why: 'limit' | 'mark' | 'redacted'
}
