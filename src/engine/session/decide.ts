import { sendsNothing, type Mode } from '../../config/mode.ts'
import type { Incoming } from '../incoming.ts'
import type { Course, RareCases } from '../rare-cases.ts'

/** The decision about one request. */
type Decision = 'replay' | 'record' | 'live' | 'miss'

/**
 * Decides about a request from the mode and from whether an exchange answers it, in `prompts` with an answer that is
 * kept.
 */
export function decide(mode: Mode, answered: boolean): Decision {
  switch (mode) {
    case 'off':
      return 'live'
    case 'all':
      return 'record'
    case 'new':
      return answered ? 'replay' : 'record'
    case 'replay':
    case 'prompts':
      return answered ? 'replay' : 'miss'
  }
}

/** Whether the request goes to the provider even if the cassette could answer it. */
export function mustAskProvider(
  course: Course,
  incoming: Incoming,
  rare: () => Pick<RareCases, 'cassetteOrLive'>,
): boolean {
  const { mode } = course.config
  if (mode !== 'new') return !sendsNothing(mode)
  const isAlone = course.arrived.every(({ replayed }) => replayed)
  return !isAlone && rare().cassetteOrLive(course, incoming) === 'live'
}
