/** The two that every conversation has: what is recorded, and the provider. */
export const BUILT_IN_SPEAKERS = ['cassette', 'live'] as const

/** A speaker, as far as options know it; what it is asked and answers is in `engine/speaker.ts`. */
export interface SpeakerOption {
  readonly name: string
  canHandle(step: never): unknown
  handleStep(step: never): unknown
}

/** True for speakers as they have to be written: each with a name of its own. */
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
