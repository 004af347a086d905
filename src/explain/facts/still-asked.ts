import { stepsBefore, linkThreads } from '../../conversation/threads.ts'
import { readSteps } from '../../conversation/step.ts'
import { mostAlike, similarity } from '../../diff/similarity.ts'
import { askedThreadsOf } from '../../features/asked-threads.ts'
import { comparedPromptFor } from '../../engine/read-prompt.ts'
import type { Incoming } from '../../engine/incoming.ts'
import type { Recorded } from '../../engine/recorded.ts'
import type { Session } from '../../engine/session.ts'
import type { Prompt } from '../../prompt/prompt.ts'

/**
 * The exchanges of a cassette that its test still asks for, as far as this attempt tells. After `recover`, a prompt that
 * changed stands in the cassette twice: the old one, and behind it the new one, which this attempt replayed.
 */
export function exchangesStillAsked(session: Session): Recorded[] {
  const { recorded, cassette } = session
  const isReplaced = recorded.some(
    ({ played }, index) => played && recorded.slice(0, index).some((before) => !before.played),
  )
  if (!cassette || !isReplaced) return recorded
  const placeOf = placesIn(session)
  const places = new Map(
    recorded.flatMap((one) => (one.incoming ? [[one, placeOf(one.incoming, one)] as const] : [])),
  )
  // A prompt that missed stands for the exchange that it is most like.
  const missed = session.misses.map(({ incoming }) => placeOf(incoming))
  const unused = new Set(recorded.filter((one) => !one.played && places.has(one)))
  for (const place of missed) {
    const meant = counterpartOf(unused, (one) => likenessOf(places.get(one)!, place))
    if (meant) unused.delete(meant)
  }
  const played = new Set(recorded.filter((one) => one.played && places.has(one)))
  const indexOf = new Map(recorded.map((one, index) => [one, index]))
  const replaced = new Set<Recorded>()
  for (const old of unused) {
    const later = [...played].filter((one) => indexOf.get(one)! > indexOf.get(old)!)
    const best = counterpartOf(later, (one) => likenessOf(places.get(old)!, places.get(one)!))
    if (best && played.delete(best)) replaced.add(old)
  }
  return recorded.filter((one) => !replaced.has(one))
}

/** The first of the exchanges that are most alike; `undefined` if none is alike at all. */
function counterpartOf(
  among: Iterable<Recorded>,
  likeness: (one: Recorded) => number,
): Recorded | undefined {
  return mostAlike([...among].slice(0, MAX_COMPARED), likeness, 0)
}

/** The number of exchanges with which one is compared at most. */
const MAX_COMPARED = 100

/** A prompt, and how many exchanges of its conversation come before it. */
interface Placed {
  prompt: Prompt
  before: number
}

/** Reads the places of recorded prompts, and of those of this attempt. */
function placesIn(session: Session): (incoming: Incoming, recorded?: Recorded) => Placed {
  const steps = linkThreads(readSteps(session.cassette!)).flatMap((thread) => thread.steps)
  const before = new Map(steps.map((one) => [one.step.exchange, stepsBefore(one).length]))
  return (incoming, recorded) => {
    const prompt = comparedPromptFor(incoming)
    if (recorded) return { prompt, before: before.get(recorded.exchange)! }
    const last = askedThreadsOf(session).before(incoming)
    return { prompt, before: last ? stepsBefore(last).length + 1 : 0 }
  }
}

/** How alike two prompts are at the same place of their conversations, 0 to 1; 0 at different places. */
function likenessOf(one: Placed, other: Placed): number {
  const isSamePlace = one.before === other.before && one.prompt.operation === other.prompt.operation
  return isSamePlace ? similarity(one.prompt, other.prompt) : 0
}
