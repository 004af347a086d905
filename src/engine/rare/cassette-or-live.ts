import { stepsBefore } from '../../conversation/threads/link-threads.ts'
import type { Incoming } from '../incoming.ts'
import type { Course } from '../rare-cases.ts'
import { isLive } from './asked-threads.ts'
import { threadsOf } from './asked-threads.ts'

/**
 * Decides whether the cassette or the provider answers a request in mode `new`. A conversation begins with the
 * cassette, which hands over to the provider at the first prompt that it does not have. From there on the provider
 * answers, even where a later prompt is recorded: its history differs. Other conversations, such as those of
 * sub-agents, stay with the cassette.
 */
export function cassetteOrLive(course: Course, incoming: Incoming): 'cassette' | 'live' {
  const before = threadsOf(course).before(incoming)
  return before && [before.step, ...stepsBefore(before)].some(isLive) ? 'live' : 'cassette'
}
