import type { WrittenResponse } from '../cassette/format/cassette.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'

/**
 * Answers steps of a conversation in place of its cassette and its provider, which are the speakers `cassette` and
 * `live`: a script, a simulated model, a person at a keyboard.
 */
export interface Speaker {
  /** Unique in its test, and neither `cassette` nor `live`. */
  name: string
  /** Whether it answers this step. If no speaker does, the cassette and the provider answer as usual. */
  canHandle(step: SpeakerStep): boolean | Promise<boolean>
  /** Answers a step, or names the speaker that does. */
  handleStep(step: SpeakerStep): SpeakerResult | Promise<SpeakerResult>
}

/** A step of a conversation that is to be answered. */
export interface SpeakerStep {
  /** The prompt of the application, as its dialect reads it. */
  prompt: Prompt
  /** The earlier prompts and answers of the same conversation, the first step first. */
  conversation: ReadonlyArray<{ prompt: Prompt; completion: Completion; speaker: string }>
}

/** The result of a speaker for one step. */
export type SpeakerResult =
  /** Answers it, in whatever format the application asked for. */
  | { status: 'continue'; answer: Partial<WrittenResponse> }
  /** Leaves it to another speaker, to `cassette` or to `live`. */
  | { status: 'switch_speaker'; nextSpeaker: string }
  /** The conversation should have ended before this step: the step fails its test. */
  | { status: 'done' }
  /** The step fails its test, for this reason. */
  | { status: 'failed'; reason: string }

/** Options with the public type of `speakers`. */
export type WithSpeakers<Options> = Omit<Options, 'speakers'> & { speakers?: readonly Speaker[] }
