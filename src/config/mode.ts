/**
 * The treatment of a request:
 * - `replay`: answered from the cassette, or a miss
 * - `new`: answered from the cassette, recorded where that has no answer
 * - `all`: recorded afresh
 * - `prompts`: as `replay`, but a prompt that changed in place keeps its recorded answer
 * - `off`: sent as if this package were not there
 */
export type Mode = 'replay' | 'new' | 'all' | 'prompts' | 'off'

/** The modes under the names that caches use. */
export type CachingStrategy = 'read' | 'write' | 'both' | 'no'

export const STRATEGY_MODES: Record<CachingStrategy, Mode> = {
  read: 'replay',
  write: 'all',
  both: 'new',
  no: 'off',
}

/** True for modes that send no request to a provider. */
export function sendsNothing(mode: Mode): boolean {
  return mode === 'replay' || mode === 'prompts'
}
