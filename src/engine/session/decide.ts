import { sendsNothing, type Mode } from '../../config/mode.ts'
import type { Incoming } from '../incoming.ts'
import type { Course, RareCases } from '../rare-cases.ts'

/** The decision about one request. */
type Decision = 'replay' | 'record' | 'live' | 'miss'

/** The decision of each mode where an exchange answers, in `prompts` with an answer that is kept, and where none does. */
const DECISIONS: Record<Mode, readonly [answered: Decision, unanswered: Decision]> = {
  off: ['live', 'live'],
  all: ['record', 'record'],
  new: ['replay', 'record'],
  replay: ['replay', 'miss'],
  prompts: ['replay', 'miss'],
}

/** Decides about a request from the mode and from whether an exchange answers it. */
export function decide(mode: Mode, answered: boolean): Decision {
  return DECISIONS[mode][answered ? 0 : 1]
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
