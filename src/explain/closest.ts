import type { SafeChange } from '../diff/prompt-change.ts'
import { diffFields } from '../diff/diff-json.ts'
import { diffPrompts } from '../diff/diff-prompts.ts'
import { mostAlike, similarity } from '../diff/similarity.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { comparableTo, type Incoming } from '../engine/incoming.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Miss } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { isSameQuestion } from './ways-out.ts'
import { promptForDiff, withRecordedPictures } from './facts/prompt-for-diff.ts'
import type { Suggestion } from '../engine/match.ts'
import { differsInIdentity, suggestRules } from '../features/suggest.ts'
import { veilOf } from '../secrets/veil.ts'
import { promptWritten } from '../features/hand-written.ts'
import { findUnasked } from '../features/unasked.ts'
import { isUnaskedExchange } from '../engine/recorded.ts'
import { comparedPromptFor, dialectFor } from '../engine/read-prompt.ts'

/** The exchange with which a failure compares a miss. It is never replayed for the miss. */
export interface Closest {
  recorded: Recorded
  /** Without secrets. */
  changes: SafeChange[]
  /** Set where only values differ that vary between runs. */
  suggestion?: Suggestion
  /** Set where the only difference is which of the volatile values are equal. */
  identity?: boolean
}

/** How much an unused exchange gains over a used one when they are compared with a request. */
const STILL_TO_COME = 0.15

/** The exchange that was closest to a request when it was last looked for. */
interface Found {
  session: Session
  /** The exchanges among which it was looked for, and how often each was played. */
  among: string
  closest: Closest | undefined
}

const lastFound = new WeakMap<Incoming, Found>()

/**
 * The exchange that is most similar to a request, with the differences. What refuses the request asks for it, and again what
 * fails the test: the second time nothing is compared.
 */
export function findClosest(
  session: Session,
  among: readonly Recorded[],
  incoming: Incoming,
): Closest | undefined {
  const state = among.map(({ exchange, played }) => `${exchange.id} ${played}`).join()
  const last = lastFound.get(incoming)
  // Pictures are compared in between.
  if (!session.pictures && last?.session === session && last.among === state) return last.closest
  const closest = lookForClosest(session, among, incoming)
  lastFound.set(incoming, { session, among: state, closest })
  return closest
}

function lookForClosest(
  session: Session,
  among: readonly Recorded[],
  incoming: Incoming,
): Closest | undefined {
  const unasked = among.filter(isUnaskedExchange)
  const fitting = findUnasked({ unused: unasked.filter(({ played }) => !played) }, incoming)
  const others = among.filter((recorded) => !unasked.includes(recorded))
  const best = fitting ? undefined : mostAlike(others, (recorded) => rankOf(recorded, incoming))
  if (best) return compare(session, best, incoming)
  // With a prompt that is unknown, none can be compared.
  const shown = fitting ?? unasked[0]
  return shown && { recorded: shown, changes: [] }
}

/** A changed prompt is usually that of an exchange which is still to come, even if it reads more like an earlier one. */
function rankOf(recorded: Recorded, incoming: Incoming): number {
  const alike = similarity(promptOf(recorded, incoming), comparedPromptFor(incoming))
  const rank = alike === 1 ? 1 + STILL_TO_COME : alike
  return recorded.played ? rank : rank + STILL_TO_COME
}

function compare(session: Session, recorded: Recorded, sent: Incoming): Closest {
  const { volatile } = session.config
  const changes = changesBetween(session, recorded, sent)
  const known = recorded.incoming
  if (!known) return { recorded, changes }
  const received = comparableTo(known, sent)
  return {
    recorded,
    changes,
    suggestion: suggestRules(known, received, volatile),
    identity: differsInIdentity(known, received),
  }
}

function promptOf(recorded: Recorded, received: Incoming): Prompt {
  const { incoming } = recorded
  return incoming
    ? comparedPromptFor(incoming)
    : promptWritten(recorded, comparedPromptFor(received), dialectFor(received))
}

/** The prompts' changes without secrets; where both read the same, those of the canonical requests. */
export function changesBetween(session: Session, recorded: Recorded, sent: Incoming): SafeChange[] {
  const { volatile } = session.config
  const known = recorded.incoming
  if (!known) return diffSafely(session, promptOf(recorded, sent), comparedPromptFor(sent))
  const received = comparableTo(known, sent)
  const shown = promptForDiff(received, volatile)
  const changes = diffSafely(
    session,
    promptForDiff(known, volatile),
    withRecordedPictures(shown, recorded, received, session.pictures),
  )
  if (changes.length > 0) return changes
  const [before, after] = [known, received].map(
    ({ canonical }) => canonical as unknown as JsonValue,
  )
  return veilOf(session).learn(before, after).hide(diffFields(before, after))
}

/** A change can hold a piece of a secret, so those of both prompts are learnt as a whole. */
function diffSafely(session: Session, before: Prompt, after: Prompt): SafeChange[] {
  return veilOf(session).learn(before, after).hide(diffPrompts(before, after))
}

/**
 * The session of the file, and a miss of a test as one of its own, where the test waits for nothing else and the file has
 * the exchange: a call whose test nobody knew is recorded there.
 */
export function inCassetteOfFile(session: Session, miss: Miss): [Session, Miss] | undefined {
  const { ofFile, unused, test } = session
  const { incoming, reason, conflict, turn } = miss
  const isPlain = reason === 'unmatched' && !conflict && !turn
  if (!ofFile || !isPlain || unused.length > 0 || session.countAnswering(incoming) > 0)
    return undefined
  const known = findClosest(ofFile, ofFile.unused, incoming)?.recorded.incoming
  return known && isSameQuestion(known, incoming)
    ? [ofFile, { ...miss, running: [test] }]
    : undefined
}
