import type { WrittenResponse } from '../cassette/format/cassette.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'

/**
 * Somebody who answers steps of a conversation beside its cassette and its provider, which are the speakers
 * `cassette` and `live`: a script, a simulated model, a person at a keyboard.
 */
export interface Speaker {
  /** Unique in its test, and neither `cassette` nor `live`. */
  name: string
  /** Whether it answers this step. Where no speaker does, the cassette and the provider answer as ever. */
  canHandle(step: SpeakerStep): boolean | Promise<boolean>
  /** Answers a step, or says who does. */
  handleStep(step: SpeakerStep): SpeakerResult | Promise<SpeakerResult>
}

/** A step of a conversation that is to be answered. */
export interface SpeakerStep {
  /** What the application asks, as its wire format reads it. */
  prompt: Prompt
  /** What was asked and answered before it in the same conversation, the first step first. */
  conversation: ReadonlyArray<{ prompt: Prompt; completion: Completion; speaker: string }>
}

/** What a speaker does with a step. */
export type SpeakerResult =
  /** Answers it, in whatever format the application asked for. */
  | { status: 'continue'; answer: Partial<WrittenResponse> }
  /** Leaves it to another speaker, to `cassette` or to `live`. */
  | { status: 'switch_speaker'; nextSpeaker: string }
  /** Nothing was to be asked any more: the step fails its test. */
  | { status: 'done' }
  /** The step fails its test, for this reason. */
  | { status: 'failed'; reason: string }

/** Options with speakers as their authors see them. */
export type WithSpeakers<Options> = Omit<Options, 'speakers'> & { speakers?: readonly Speaker[] }
