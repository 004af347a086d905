import { sendsNothing, type Mode } from '../config/mode.ts'
import { stepsBefore } from '../conversation/threads/link-threads.ts'
import { isLive } from './asked-step.ts'
import type { AskedThreads } from './asked-threads.ts'
import type { Incoming } from './incoming.ts'

/** Who answers in a conversation: its recording, as far as that knows the prompts, or the provider. */
export type Speaker = 'cassette' | 'live'

/**
 * Says who has the word when a request comes. In mode `new` a conversation begins with the cassette,
 * which hands over to the provider at the first prompt that it does not know. From there on the provider
 * speaks, also where a later prompt happens to be recorded: its history is another one. Conversations
 * beside it, such as those of sub-agents, stay with the cassette.
 */
export function speakerOf(mode: Mode, threads: AskedThreads, incoming: Incoming): Speaker {
  if (sendsNothing(mode)) return 'cassette'
  if (mode !== 'new') return 'live'
  if (!threads.asked.some(({ recording }) => recording)) return 'cassette'
  const before = threads.before(incoming)
  return before && [before.step, ...stepsBefore(before)].some(isLive) ? 'live' : 'cassette'
}
