import { stepsBefore } from '../../conversation/threads/link-threads.ts'
import type { Incoming } from '../incoming.ts'
import type { Course } from '../rare-cases.ts'
import { isLive } from './asked-step.ts'
import { threadsOf } from './asked-threads.ts'

/** Who answers in a conversation: its recording, as far as that knows the prompts, or the provider. */
export type Speaker = 'cassette' | 'live'

/**
 * Says who has the word when a request comes in mode `new`. A conversation begins with the cassette,
 * which hands over to the provider at the first prompt that it does not know. From there on the provider
 * speaks, also where a later prompt happens to be recorded: its history is another one. Conversations
 * beside it, such as those of sub-agents, stay with the cassette.
 */
export function speakerOf(course: Course, incoming: Incoming): Speaker {
  const before = threadsOf(course).before(incoming)
  return before && [before.step, ...stepsBefore(before)].some(isLive) ? 'live' : 'cassette'
}
