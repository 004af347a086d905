import { type Cassette, isRecorded } from '../cassette/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { MAY_BE_PLACEHOLDER, holdsText } from '../text/holds-text.ts'
import { differingCredential, restorePlainValues } from '../secrets/restore-plain-values.ts'
import { isUnasked } from '../wire/imported.ts'
import { type Bindings, type ValuePair, pairsBetween } from './bind.ts'
import { loadInOrder } from './session/load-in-order.ts'
import { comparableTo, type Incoming, readIncoming } from './incoming.ts'
import type { RareCases, PictureComparer } from './rare-cases.ts'
import { readRecorded, type Recorded } from './recorded.ts'
import type { Miss } from './session-contract.ts'
import { isSameRequest } from './same-request.ts'

/** The options that decide, besides the prompt, which exchange answers. */
export type MatchRules = Pick<ResolvedConfig, 'repeats' | 'unordered'>

/** The exchange whose turn it is. */
interface Next {
  recorded: Recorded
  /** True where the request equals the recorded one word for word. */
  isVerbatim: boolean
  /** Whether an exchange before it was not played yet. */
  isEarly?: boolean
}

/** The inputs of a matcher besides the cassette. */
interface MatcherOptions {
  /** The rules for values that may vary between runs; recorded prompts are read by the current rules. */
  volatile?: readonly VolatileRule[]
  /** Tells whether pictures look alike; without it they compare by their content. */
  pictures?: PictureComparer
  /** The environment. Its values that are no secret here replace their placeholders in prompts. */
  env?: Record<string, string | undefined>
  rare: () => Pick<RareCases, 'isMeantFor' | 'canBeWritten'>
}

/**
 * The exchanges of a cassette, each of which answers once, in the order recorded. Nearly every request equals that of
 * the exchange whose turn it is, word for word; the others are looked up by their prompt hash.
 */
export class Matcher {
  readonly recorded: Recorded[]
  readonly #options: MatcherOptions
  /** The exchanges with a recorded request, by each kind of hash that was looked up. */
  readonly #indexes: Map<HashOf, Map<string, Recorded[]>> = new Map()
  /** The exchanges without a recorded request. Each prompt is compared with all of them. */
  readonly #written: Recorded[]
  /** The exchanges of whose requests parts are unknown. Each request is compared with all of them. */
  readonly #partial: Recorded[]
  readonly #holdsPolls: boolean
  readonly #holdsOrder: boolean
  #turn = 0

  constructor(cassette: Cassette | undefined, options: MatcherOptions) {
    this.#options = options
    this.recorded = readRecorded(cassette, options.volatile)
    this.#partial = []
    this.#written = []
    let holdsPolls = false
    let holdsOrder = false
    for (const one of this.recorded) {
      const { incoming } = one
      if (!incoming) this.#written.push(one)
      else if (incoming.wire.imported && !isUnasked(incoming.wire)) this.#partial.push(one)
      holdsPolls ||= isPoll(one)
      holdsOrder ||= one.after !== undefined
    }
    this.#holdsPolls = holdsPolls
    this.#holdsOrder = holdsOrder
  }

  /**
   * The next unused exchange that answers a prompt. With the option `repeats`, and for a poll, the last exchange
   * answers again, or all of them in order. Unless `unordered`, an exchange waits for those before it.
   *
   * @param accepts whether the values of the exchange fit those of this run
   */
  next(
    incoming: Incoming,
    rules: MatchRules,
    accepts: (recorded: Recorded, isVerbatim: boolean) => boolean = () => true,
  ): Next | undefined {
    const first = this.#firstFor([])
    if (first && isAsked(first, incoming) && accepts(first, true))
      return { recorded: first, isVerbatim: true }
    const recorded = this.#nextOf(incoming, rules, (entry) => accepts(entry, false))
    return recorded && { recorded, isVerbatim: false, isEarly: recorded !== first }
  }

  #nextOf(
    incoming: Incoming,
    { repeats, unordered }: MatchRules,
    accepts: (recorded: Recorded) => boolean,
  ): Recorded | undefined {
    const known = this.#exact(incoming)
    const exact = this.#holdsOrder ? this.#inTurn(known) : known
    const alike = this.#alike(incoming)
    const answering = alike.length > 0 ? [...exact, ...alike] : exact
    if (answering.every(({ played }) => played)) {
      if (this.#holdsOrder && known.some((entry) => !entry.played && !isPoll(entry)))
        return undefined
      const again = exact.length > 0 ? exact : alike.slice(0, 1)
      const rule = repeats === 'strict' && again.some(isPoll) ? 'last' : repeats
      return repeated(again, rule).find(accepts)
    }
    if (unordered) {
      const open = answering.filter((entry) => !entry.played)
      // Agents that ask the same at the same time each send back the ids of their own calls.
      const own = open.length > 1 ? open.find((entry) => isAsked(entry, incoming)) : undefined
      return own && accepts(own) ? own : open.find(accepts)
    }
    const first = this.#firstFor(answering)
    return first && answering.includes(first) && accepts(first) ? first : undefined
  }

  /** The exchange that has to be played before another one may answer; `undefined` where none is left. */
  waitsFor({ after }: Recorded): Recorded | undefined {
    return after && !after.played && !this.#isBegun(after) ? after : undefined
  }

  #inTurn(answering: readonly Recorded[]): Recorded[] {
    return loadInOrder().inTurn(answering, this.recorded, isPoll, (entry) => this.waitsFor(entry))
  }

  /** The first exchange that was not played, skipping optional polls. A played exchange stays played. */
  #firstFor(answering: readonly Recorded[]): Recorded | undefined {
    while (this.recorded[this.#turn]?.played) this.#turn++
    if (!this.#holdsPolls) return this.recorded[this.#turn]
    let turn = this.#turn
    const isPassed = (entry: Recorded): boolean =>
      entry.played > 0 || (!answering.includes(entry) && this.#isBegun(entry))
    while (this.recorded[turn] && isPassed(this.recorded[turn]!)) turn++
    return this.recorded[turn]
  }

  /** Whether it is a poll that was asked at least once. The number of polls depends on timing. */
  #isBegun(entry: Recorded): boolean {
    return isPoll(entry) && this.#exact(entry.incoming!).some(({ played }) => played)
  }

  /** How many exchanges before a place may still be asked for. */
  countUnasked(place: number): number {
    const before = this.recorded.slice(this.#turn, place)
    return before.filter((entry) => !entry.played && !this.#isBegun(entry)).length
  }

  get unused(): Recorded[] {
    return this.recorded.filter((entry) => !entry.played && !this.#isBegun(entry))
  }

  /** The exchanges that answer a prompt, used or not: the same prompt first, then those with similar pictures. */
  answering(incoming: Incoming): Recorded[] {
    return [...this.#exact(incoming), ...this.#alike(incoming)]
  }

  /** The exchanges with the same prompt. Recorded ones go before hand-written ones. */
  #exact(incoming: Incoming): Recorded[] {
    const same = this.#lookUp(promptHash, incoming)
    if (this.#written.length === 0) return same
    const { isMeantFor, canBeWritten } = this.#options.rare()
    const meant = this.#written.filter((entry) => isMeantFor(entry, incoming))
    const { recorded = [], written = [] } = Object.groupBy([...same, ...meant], ({ exchange }) =>
      isRecorded(exchange) ? 'recorded' : 'written',
    )
    return written.length > 0 && canBeWritten(incoming) ? [...recorded, ...written] : recorded
  }

  /** The exchanges with this prompt but other, similar pictures, the nearest first. */
  #alike(incoming: Incoming): Recorded[] {
    const { pictures } = this.#options
    if (!pictures || incoming.pictures.length === 0) return []
    const exact = this.#lookUp(promptHash, incoming)
    const near = this.#lookUp(hashBesidePictures, incoming).flatMap((recorded) => {
      if (exact.includes(recorded)) return []
      const distance = pictures.distance(recorded, incoming)
      return distance === undefined ? [] : { recorded, distance }
    })
    return near
      .toSorted((one, other) => one.distance - other.distance)
      .map(({ recorded }) => recorded)
  }

  #index(hashOf: HashOf): Map<string, Recorded[]> {
    const known = this.#indexes.get(hashOf)
    if (known) return known
    const requests = this.recorded.filter(({ incoming }) => incoming && !isUnasked(incoming.wire))
    const index = Map.groupBy(requests, ({ incoming }) => hashOf(this.#here(incoming!)))
    this.#indexes.set(hashOf, index)
    return index
  }

  /** The exchanges found for a request in recorded order, those with unknown parts by the rest of it. */
  #lookUp(hashOf: HashOf, incoming: Incoming): Recorded[] {
    const index = this.#index(hashOf)
    const find = (asked: Incoming): Recorded[] => index.get(hashOf(this.#here(asked))) ?? []
    if (this.#partial.length === 0) return find(incoming)
    const byForm = Map.groupBy(this.#partial, (one) => comparableTo(one.incoming!, incoming))
    const found = new Set(find(incoming))
    for (const [form, partial] of byForm)
      for (const one of find(form)) if (partial.includes(one)) found.add(one)
    return this.recorded.filter((entry) => found.has(entry))
  }

  /** The form in which a prompt is compared: as stored, with redacted values put back that are no secret here. */
  #here(incoming: Incoming): Incoming {
    const { env, volatile } = this.#options
    const here = env ? restorePlainValues(incoming.wire, env) : incoming.wire
    return here === incoming.wire
      ? incoming
      : readIncoming(here, { volatile, before: incoming.before })
  }
}

type HashOf = (incoming: Incoming) => string
const promptHash: HashOf = ({ hash }) => hash
const hashBesidePictures: HashOf = (incoming) => incoming.hashBesidePictures

/** Whether a request equals that of an exchange, word for word. */
function isAsked(recorded: Recorded, { sent }: Incoming): boolean {
  const { incoming: known } = recorded
  const isSame = known !== undefined && !isUnasked(known.wire) && isSameRequest(known.wire, sent)
  // What looks like a placeholder in a request of this run is another text than a placeholder.
  return isSame && !holdsText(sent.body, MAY_BE_PLACEHOLDER)
}

/** Whether a request only asks for the state of something: a GET without a body that opens no socket. */
function isPoll({ incoming }: Recorded): boolean {
  const { wire } = incoming ?? {}
  const isEmptyGet = wire?.method === 'GET' && wire.body.kind === 'empty'
  return isEmptyGet && !wire.url.startsWith('ws') && !isUnasked(wire)
}

/** The exchanges that may answer again, when all that have a prompt were played. */
function repeated(answering: Recorded[], repeats: MatchRules['repeats']): Recorded[] {
  if (repeats === 'last') return answering.slice(-1)
  return repeats === 'cycle' ? answering.toSorted((one, other) => one.played - other.played) : []
}

/**
 * Finds the exchange that answers a request: it has the same prompt, and its volatile values do not contradict
 * earlier ones. If there is none, searches again with the live values from answers turned back into recorded ones.
 */
export function findRecorded(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  options: MatchRules & Pick<ResolvedConfig, 'volatile' | 'run'>,
  rare: () => RareCases,
): Found | undefined {
  const find = (asked: Incoming, read: (pairs: ValuePair[]) => ValuePair[]): Found | undefined => {
    const pairsOf = ({ incoming: known }: Recorded): ValuePair[] =>
      known ? read(pairsBetween(known, comparableTo(known, asked))) : []
    const next = matcher.next(
      asked,
      options,
      // As long as all values equal the recorded ones, equal values contradict nothing.
      (entry, isVerbatim) =>
        (isVerbatim && !bindings.differ) ||
        (!bindings.conflictOf(pairsOf(entry)) && !credentialOf(entry, asked)),
    )
    if (!next) return undefined
    const { recorded, isVerbatim, isEarly } = next
    // A word-for-word match needs no pairs, so it keeps no reference to the live request.
    if (isVerbatim && !bindings.differ) return { recorded }
    return { recorded, isEarly, pairs: () => pairsOf(recorded) }
  }
  const direct = find(incoming, (pairs) => pairs)
  if (direct) return direct
  const undone = bindings.undo(incoming)
  const { volatile } = options
  const { before } = incoming
  const found =
    undone && find(readIncoming(undone, { volatile, before }), (pairs) => bindings.redo(pairs))
  if (found || options.run?.by !== 'doctor') return found
  return rare().findUndeclared(matcher.unused, bindings, incoming, volatile)
}

/** The credential for another server that cannot be that of an exchange with the same prompt. */
function credentialOf({ incoming: known }: Recorded, { wire }: Incoming): Miss['credential'] {
  return known && differingCredential(known.wire.body, wire.body)
}

/** Why an exchange that has the prompt of a request does not answer it. */
export function whyMissed(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  { repeats, unordered }: MatchRules,
): Pick<Miss, 'conflict' | 'credential' | 'turn'> {
  const answering = matcher.answering(incoming)
  const unused = answering.find((entry) => !entry.played)
  const same = unused ?? (repeats === 'strict' ? undefined : answering.at(-1))
  const known = same?.incoming
  return {
    conflict: known && bindings.conflictOf(pairsBetween(known, incoming)),
    credential: same && credentialOf(same, incoming),
    turn: unused && (matcher.waitsFor(unused) ?? (unordered ? undefined : matcher.unused[0])),
  }
}

/** An exchange that answers a request, and the values of this run in place of the recorded ones. */
export interface Found {
  recorded: Recorded
  /** Whether an exchange before it was not played yet. */
  isEarly?: boolean | undefined
  /** Absent where this request and all earlier ones have the recorded values, word for word. */
  pairs?: () => ValuePair[]
  /** The undeclared volatile values that differ; only a run of `doctor` finds such an exchange. */
  undeclared?: Suggestion
  /** The prompt differs, its place in the conversation is the same; only mode `prompts` finds such an exchange. */
  kept?: true
  /** As `kept`, but nobody knew the prompt of the exchange, which takes over that of the request. */
  takesPrompt?: true
  /** The speaker of the test that gave the answer in this run; the answer is not recorded. */
  speaker?: string
}

/** The exchange whose answer is kept for a changed prompt, or why there is none. */
export interface KeptPlace {
  found?: Found
  notKept?: string
}

/** The rules that would resolve a miss in which only volatile values differ. */
export interface Suggestion {
  /** The rules that are missing, names and paths. */
  rules: VolatileRule[]
  /** The values that differ, with the rule that fits each. */
  pairs: ValuePair[]
}

/** A suggestion for a miss in which values differ that no named rule recognises. */
export interface PartialSuggestion extends Suggestion {
  /** Values at paths in `rules`, which no named rule recognises. Empty where no rule resolves the miss. */
  rest: ValuePair[]
}
