import { isRecorded, type Exchange } from '../cassette/format/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { similarity } from '../diff/compare/similarity.ts'
import { pairsBetween } from '../engine/bind.ts'
import type { KeptTurn } from '../engine/turns/describe.ts'
import type { Incoming } from '../engine/incoming.ts'
import { RequestReader } from '../engine/recorded.ts'
import { comparedPromptFor, dialectFor } from '../engine/reading/read-prompt.ts'
import { sameJson } from '../json/same-json.ts'
import { jsonOf, textOf, type Body } from '../wire/body.ts'
import { TOLD_HEADERS } from '../wire/answer-headers.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { Names } from './names.ts'
import { folded, saysTheSame, sayingOf, type Answered } from './says-the-same.ts'
import { foldAnswer, kindOf } from './fold-answer.ts'
import { recut } from './recut.ts'
import { RENEWED } from './renewed-places.ts'
import type { Renewed } from './renewed.ts'
import { takePlaces } from './take-places.ts'

/** An exchange of the old recording, with its index. */
interface Known extends Answered {
  index: number
  durationMs?: number
}

/** An exchange of the new recording, as it is to be stored. */
export interface MergedTurn {
  turn: KeptTurn
  /** The index of the old exchange whose answer is kept. */
  answer?: number
  /** The index of the old exchange whose request is kept. */
  prompt?: number
  /** The index of the old exchange in whose place it stands. */
  place?: number
}

/**
 * Replaces parts of a new recording by those of the old one that say the same. Names that are kept in one exchange are
 * kept in all others; where that is not possible, the exchange is stored as it was recorded now.
 */
export function mergeExchanges(
  old: readonly Exchange[],
  fresh: readonly Exchange[],
  volatile: readonly VolatileRule[],
): MergedTurn[] {
  const known = readRecorded(old, volatile)
  const awaited = new Set(readRecorded(fresh, volatile).map(({ incoming }) => incoming.hash))
  const anew = new Set<number>()
  for (;;) {
    const merger = new TurnMerger(known, awaited, anew, volatile)
    const turns = fresh.map((exchange, index) => merger.merge(exchange, index))
    if (merger.conflicts.size === 0) return turns
    for (const index of merger.conflicts) anew.add(index)
  }
}

class TurnMerger {
  /** The new exchanges that cannot keep the names and values of the old recording. */
  readonly conflicts: Set<number> = new Set()
  readonly #unused: Set<Known>
  readonly #awaited: ReadonlySet<string>
  readonly #anew: ReadonlySet<number>
  readonly #names: Names = new Names()
  readonly #reader: RequestReader
  /** New numbers that are not stored where an answer keeps its old ones, each with its exchange. */
  readonly #dropped: Map<string, number> = new Map()
  #last = -1

  constructor(
    known: readonly Known[],
    awaited: ReadonlySet<string>,
    anew: ReadonlySet<number>,
    volatile: readonly VolatileRule[],
  ) {
    this.#unused = new Set(known)
    this.#awaited = awaited
    this.#anew = anew
    this.#reader = new RequestReader(volatile)
  }

  merge(exchange: Exchange, index: number): MergedTurn {
    if (!isRecorded(exchange)) return { turn: exchange }
    const { request } = exchange.wire
    this.#lookForDropped(request)
    const incoming = this.#reader.read(exchange.id, this.#names.undo(request))
    const response = this.#names.undo(exchange.wire.response)
    const kept = exchange.response.kept ? { kept: true as const } : {}
    const durationMs = exchange.response.duration_ms
    const answered = { incoming, response }
    const same = this.#findSame(incoming)
    const pair =
      same.length > 0
        ? (same.find((known) => saysTheSame(known, answered, true)) ?? same[0]!)
        : this.#inPlace(answered)
    if (!pair) {
      this.#keepNames(answered, index)
      return { turn: { ...answered, durationMs, ...kept } }
    }
    this.#unused.delete(pair)
    this.#last = pair.index
    const isBound = this.#bindVolatile(pair.incoming, incoming, index)
    const isSame = same.length > 0 && isBound
    const asked = isSame ? pair.incoming : this.#reader.read(exchange.id, this.#names.undo(request))
    const prompt = isSame ? { prompt: pair.index } : {}
    const isKept = saysTheSame(pair, answered, isSame)
    if (!this.#anew.has(index) && this.#renameAs(pair, answered, index)) {
      const dialect = dialectFor(incoming).name
      const said = this.#names.undo(response)
      const stored = isKept
        ? keepAnswer(pair.response, said, dialect, isSame)
        : recutAnswer(pair.response, said, dialect)
      this.#drop(pair, answered, index)
      return {
        turn: { incoming: asked, response: stored, durationMs: pair.durationMs, ...kept },
        ...prompt,
        place: pair.index,
        ...(isKept ? { answer: pair.index } : {}),
      }
    }
    this.#keepNames(answered, index)
    const turn = { incoming: asked, response, durationMs, ...kept }
    return { turn, ...prompt, place: pair.index }
  }

  /** The old exchanges with this prompt. Agents that ask the same at the same time have ids of their own calls. */
  #findSame({ hash, wire }: Incoming): Known[] {
    const same = [...this.#unused].filter(
      ({ incoming }) => incoming.hash === hash && !incoming.wire.older,
    )
    if (same.length < 2) return same
    const body = jsonOf(wire.body) ?? null
    const own = same.filter(({ incoming }) => sameJson(jsonOf(incoming.wire.body) ?? null, body))
    return own.length > 0 ? own : same
  }

  /** For a changed prompt: the old exchange with the same answer and a prompt that is gone, or else the next one. */
  #inPlace(answered: Answered): Known | undefined {
    const dialect = dialectFor(answered.incoming)
    const free = [...this.#unused].filter(
      ({ incoming }) => dialectFor(incoming) === dialect && !this.#awaited.has(incoming.hash),
    )
    const { itself } = sayingOf(answered)
    const alike = free.filter((known) => sayingOf(known).itself === itself)
    if (alike.length > 0) return mostAlike(alike, answered)
    return free.find(({ index }) => index > this.#last)
  }

  /** Whether the volatile values of the old request can replace those of the new one everywhere. */
  #bindVolatile(old: Incoming, asked: Incoming, index: number): boolean {
    const rulesOf = ({ volatile }: Incoming): string => volatile.map(({ rule }) => rule).join('\n')
    if (rulesOf(old) !== rulesOf(asked)) return false
    const changed = pairsBetween(old, asked).filter(({ recorded, live }) => recorded !== live)
    if (this.#anew.has(index) && changed.length > 0) return false
    if (!changed.every(({ live }) => Names.isTelling(live))) return false
    for (const { recorded, live } of changed) this.#note(live, recorded, index)
    return true
  }

  /** Whether the ids of an answer can be replaced by the old ones. */
  #renameAs(pair: Known, answered: Answered, index: number): boolean {
    const [old, fresh] = [folded(pair).ids, folded(answered).ids]
    if (old.length !== fresh.length) return false
    const isTelling = (id: string, at: number): boolean => id === old[at] || Names.isTelling(id)
    if (!fresh.every(isTelling)) return false
    for (const [at, id] of fresh.entries()) this.#note(id, old[at]!, index)
    return true
  }

  #keepNames(answered: Answered, index: number): void {
    for (const id of folded(answered).ids) this.#note(id, id, index)
  }

  #note(name: string, old: string, index: number): void {
    for (const conflict of this.#names.add(name, old, index))
      if (!this.#anew.has(conflict)) this.conflicts.add(conflict)
  }

  /** Notes the dropped numbers: a later prompt can contain them, such as the duration or the cost of an answer. */
  #drop(pair: Known, answered: Answered, index: number): void {
    const own = numbersIn(textOf(answered.incoming.wire.body))
    const old = new Set(folded(pair).figures.flatMap((figure) => [...numbersIn(figure)]))
    for (const figure of folded(answered).figures)
      for (const number of numbersIn(figure))
        if (!old.has(number) && !own.has(number)) this.#dropped.set(number, index)
  }

  #lookForDropped({ body }: WireRequest): void {
    if (this.#dropped.size === 0) return
    for (const number of numbersIn(textOf(body))) {
      const index = this.#dropped.get(number)
      if (index !== undefined) this.conflicts.add(index)
    }
  }
}

/** The kinds of values that providers generate anew. */
const FREE: ReadonlySet<Renewed | undefined> = new Set(['id', 'sealed', 'figure'])

/** An answer that says the same as before: the old one. If its prompt changed, it repeats the parts of the new one. */
function keepAnswer(
  old: WireResponse,
  said: WireResponse,
  dialect: string,
  isSamePrompt: boolean,
): WireResponse {
  return isSamePrompt ? old : { ...old, body: takePlaces(old.body, said.body, dialect, 'echo') }
}

/** A changed answer, with the old values of the headers that a provider sends with each answer and that do not count. */
function recutAnswer(old: WireResponse, said: WireResponse, dialect: string): WireResponse {
  const told = TOLD_HEADERS.filter((name) => name in said.headers && name in old.headers)
  const kept = Object.fromEntries(told.map((name) => [name, old.headers[name]!]))
  return { ...said, headers: { ...said.headers, ...kept }, body: recutBody(old, said, dialect) }
}

/** A changed answer in the pieces of the old one, if they can say the same; else with the figures of the old one. */
function recutBody(old: WireResponse, said: WireResponse, dialect: string): Body {
  const places = RENEWED[dialect] ?? {}
  const body = recut(old.body, said.body, (at) => FREE.has(kindOf(places, at)))
  const says = (one: WireResponse): string => foldAnswer(one, dialect).said
  if (body && says({ ...said, body }) === says(said)) return body
  return takePlaces(said.body, old.body, dialect, 'figure')
}

/** The exchange whose prompt is most like another one; the first of several. */
function mostAlike(alike: readonly Known[], { incoming }: Answered): Known {
  const likeness = (known: Known): number =>
    similarity(comparedPromptFor(known.incoming), comparedPromptFor(incoming))
  return alike.reduce((one, other) => (likeness(other) > likeness(one) ? other : one))
}

function readRecorded(exchanges: readonly Exchange[], volatile: readonly VolatileRule[]): Known[] {
  const reader = new RequestReader(volatile)
  return exchanges.flatMap((exchange, index): Known[] => {
    const { id, wire } = exchange
    const incoming = wire && reader.read(id, wire.request)
    if (!incoming || !isRecorded(exchange)) return []
    const durationMs = exchange.response.duration_ms
    return [{ index, incoming, response: exchange.wire.response, durationMs }]
  })
}

/** The numbers of three digits or more in a text: shorter ones occur by chance. */
function numbersIn(text: string): Set<string> {
  return new Set(text.match(/(?<![\w-])\d{3,}(?![\w-])/g) ?? [])
}
