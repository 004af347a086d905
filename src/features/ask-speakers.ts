import type { WrittenResponse } from '../cassette/cassette.ts'
import { BUILT_IN_SPEAKERS } from '../config/option-values.ts'
import { stepsBefore } from '../conversation/threads.ts'
import type { Found } from '../engine/match.ts'
import type { Incoming } from '../engine/incoming.ts'
import type { Course } from '../engine/rare-cases.ts'
import { promptFor } from '../engine/read-prompt.ts'
import { CassetteError } from '../errors.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { type AskedStep, askedThreadsOf } from './asked-threads.ts'
import { canBeWritten } from './hand-written.ts'

/** The answer of a speaker of the test, or the built-in speaker that answers; `either` where no speaker of it does. */
type Spoken = { found: Found } | { by: 'cassette' | 'live' | 'either' }

/**
 * Asks the first speaker that can handle a step for an answer, then each speaker to which it leaves the step.
 *
 * @throws CassetteError `speaker` where a speaker fails, says that the conversation is done, leaves the step to an
 * unknown speaker or to one that had it, or answers a request in a format in which this package cannot write answers
 */
export async function askSpeakers(course: Course, incoming: Incoming): Promise<Spoken> {
  const speakers = course.config.speakers as unknown as readonly Speaker[]
  const step = stepOf(course, incoming)
  const asked = new Set<Speaker>()
  let speaker = await firstFor(speakers, step)
  while (speaker) {
    if (asked.has(speaker)) throw failed(speaker, 'gets the step back that it left to another one')
    asked.add(speaker)
    const result: SpeakerResult = await speaker.handleStep(step)
    if (result.status === 'continue') return { found: foundIn(speaker, result.answer, incoming) }
    if (result.status === 'done')
      throw failed(speaker, 'says that the conversation is done, and it goes on')
    if (result.status === 'failed') throw failed(speaker, `failed: ${result.reason}`)
    const { nextSpeaker: next } = result
    if (next === 'cassette' || next === 'live') return { by: next }
    const following = speakers.find(({ name }) => name === next)
    if (!following)
      throw failed(speaker, `leaves the step to "${next}", which is none of ${namesOf(speakers)}`)
    speaker = following
  }
  return { by: 'either' }
}

async function firstFor(
  speakers: readonly Speaker[],
  step: SpeakerStep,
): Promise<Speaker | undefined> {
  for (const speaker of speakers) if (await speaker.canHandle(step)) return speaker
  return undefined
}

function namesOf(speakers: readonly Speaker[]): string {
  return [...speakers.map(({ name }) => name), ...BUILT_IN_SPEAKERS].join(', ')
}

function stepOf(course: Course, incoming: Incoming): SpeakerStep {
  const before = askedThreadsOf(course).before(incoming)
  const steps = before ? [...stepsBefore(before).toReversed(), before.step] : []
  return {
    prompt: promptFor(incoming),
    conversation: steps.map(({ prompt, completion, asked }: AskedStep) => ({
      prompt,
      completion,
      speaker: asked?.speaker ?? (asked?.recording ? 'live' : 'cassette'),
    })),
  }
}

/** Makes an exchange of the answer of a speaker, for this request alone. It is not recorded. */
function foundIn(speaker: Speaker, answer: Partial<WrittenResponse>, incoming: Incoming): Found {
  if (!canBeWritten(incoming))
    throw failed(
      speaker,
      'answers a request in a format in which this package cannot write answers',
    )
  const exchange = {
    id: `said by ${speaker.name}`,
    prompt: { text: '', metadata: {} },
    response: { text: '', ...answer },
  }
  return { recorded: { exchange, played: 0 }, pairs: () => [], speaker: speaker.name }
}

function failed({ name }: Speaker, what: string): CassetteError {
  return new CassetteError('speaker', `The speaker "${name}" ${what}.`)
}

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
