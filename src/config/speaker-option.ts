/** The names of the two speakers of every conversation: the cassette, and the provider. */
export const BUILT_IN_SPEAKERS = ['cassette', 'live'] as const

/** The part of a speaker that options check; `engine/speaker.ts` has its steps and answers. */
export interface SpeakerOption {
  readonly name: string
  canHandle(step: never): unknown
  handleStep(step: never): unknown
}

/** True for valid speakers: each with a name of its own. */
export function areSpeakers(value: unknown): value is readonly SpeakerOption[] {
  if (!Array.isArray(value) || !value.every(isSpeaker)) return false
  const names = [...BUILT_IN_SPEAKERS, ...value.map(({ name }) => name)]
  return new Set(names).size === names.length
}

function isSpeaker(value: unknown): value is SpeakerOption {
  const { name, canHandle, handleStep } = (value ?? {}) as Partial<SpeakerOption>
  const isNamed = typeof name === 'string' && name !== ''
  return isNamed && typeof canHandle === 'function' && typeof handleStep === 'function'
}
