import stableStringify from 'fast-json-stable-stringify'
import { type Exchange, isRecorded } from '../../cassette/cassette.ts'
import type { VolatileRule } from '../../config/volatile-rule.ts'
import { mostAlike, similarity } from '../../diff/similarity.ts'
import { pairsBetween } from '../../engine/bind.ts'
import { WholeWords } from '../../json/swap.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { comparedPromptFor, dialectFor } from '../../engine/read-prompt.ts'
import { RequestReader } from '../../engine/recorded.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  mapInside,
} from '../../json/json-value.ts'
import { equal, fold, type JsonPlace, rewrite } from '../../json/walk.ts'
import { replaceSpans, spreadSpans, type TextSpan } from '../../json/text-span.ts'
import { knowsOtherCredentials } from '../../secrets/restore-plain-values.ts'
import { commonEnd, commonStart } from '../../text/common-ends.ts'
import { type Body, jsonOf, textOf } from '../../wire/body.ts'
import type { ResponseRole } from '../../providers/dialect.ts'
import { responsePlaces, roleAt } from '../../providers/dialects.ts'
import { COUNTING_HEADERS } from '../../wire/headers.ts'
import { type Channel, isInPieces } from '../../wire/channels.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { mapBody, mapTexts, replaceInBody } from '../../wire/replace-texts.ts'
import { type KeptTurn, orderedAfter } from '../describe.ts'
import { foldAnswer, type FoldedAnswer, isStream, piecesOf } from '../fold-answer.ts'
import { spelledAsNow } from './spelled-as-now.ts'
import { type AnsweredRequest, foldedAnswer, sayingOf, saysTheSame } from './says-the-same.ts'

/** An exchange of the old recording, with its index. */
interface Known extends AnsweredRequest {
  index: number
  part: string | undefined
  durationMs?: number
}

/** An exchange of the new recording, as it is to be stored. */
export interface MergedTurn {
  turn: KeptTurn
  /** The index of the old exchange whose answer is kept. */
  answer?: number
  /** The index of the old exchange whose request is kept. */
  prompt?: number
  /** Whether that request is spelled as it is sent now. */
  isRespelled?: boolean
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
    const { response: given } = exchange
    const kept = {
      sample: exchange.sample,
      ...(given.kept ? { kept: given.kept } : {}),
      ...(given.mocked ? { mocked: given.mocked } : {}),
    }
    const durationMs = exchange.response.duration_ms
    const order = { name: exchange.id, after: orderedAfter(request), span: exchange.span }
    const answered = { incoming, response }
    const same = this.#findSame(incoming)
    const pair =
      same.length > 0
        ? (same.find((known) => saysTheSame(known, answered, true)) ?? same[0]!)
        : this.#inPlace(answered)
    if (!pair) {
      this.#keepNames(answered, index)
      return { turn: { ...answered, durationMs, part: exchange.part, ...kept, ...order } }
    }
    this.#unused.delete(pair)
    const part = exchange.part ?? pair.part
    this.#last = pair.index
    const isBound = this.#bindVolatile(pair.incoming, incoming, index)
    const isSame =
      same.length > 0 && isBound && !knowsOtherCredentials(pair.incoming.wire.body, request.body)
    const now = this.#reader.read(exchange.id, this.#names.undo(request))
    const spelled = isSame ? spelledAsNow(pair.incoming.wire, now) : undefined
    const asked = isSame ? (spelled ? this.#reader.read(exchange.id, spelled) : pair.incoming) : now
    const prompt = isSame ? { prompt: pair.index, isRespelled: spelled !== undefined } : {}
    const isKept = saysTheSame(pair, answered, isSame)
    if (!this.#anew.has(index) && this.#renameAs(pair, answered, index)) {
      const dialect = dialectFor(incoming).name
      const said = this.#names.undo(response)
      const stored = isKept
        ? keepAnswer(pair.response, said, dialect, isSame)
        : recutAnswer(pair.response, said, dialect)
      this.#drop(pair, answered, index, isSame && isKept)
      return {
        turn: {
          incoming: asked,
          response: stored,
          durationMs: pair.durationMs,
          part,
          ...kept,
          ...order,
        },
        ...prompt,
        place: pair.index,
        ...(isKept ? { answer: pair.index } : {}),
      }
    }
    this.#keepNames(answered, index)
    const turn = { incoming: asked, response, durationMs, part, ...kept, ...order }
    return { turn, ...prompt, place: pair.index }
  }

  /** The old exchanges with this prompt. Agents that ask the same at the same time have ids of their own calls. */
  #findSame({ hash, wire }: Incoming): Known[] {
    const same = [...this.#unused].filter(
      ({ incoming }) => incoming.hash === hash && !incoming.wire.imported,
    )
    if (same.length < 2) return same
    const body = jsonOf(wire.body) ?? null
    const own = same.filter(({ incoming }) => equal(jsonOf(incoming.wire.body) ?? null, body))
    return own.length > 0 ? own : same
  }

  /** For a changed prompt: the old exchange with the same answer and a prompt that is gone, or else the next one. */
  #inPlace(answered: AnsweredRequest): Known | undefined {
    const dialect = dialectFor(answered.incoming)
    const free = [...this.#unused].filter(
      ({ incoming }) => dialectFor(incoming) === dialect && !this.#awaited.has(incoming.hash),
    )
    const { itself } = sayingOf(answered)
    const alike = free.filter((known) => sayingOf(known).itself === itself)
    const asked = comparedPromptFor(answered.incoming)
    return (
      mostAlike(alike, ({ incoming }) => similarity(comparedPromptFor(incoming), asked)) ??
      free.find(({ index }) => index > this.#last)
    )
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
  #renameAs(pair: Known, answered: AnsweredRequest, index: number): boolean {
    const [old, fresh] = [foldedAnswer(pair).ids, foldedAnswer(answered).ids]
    if (old.length !== fresh.length) return false
    const isTelling = (id: string, at: number): boolean => id === old[at] || Names.isTelling(id)
    if (!fresh.every(isTelling)) return false
    for (const [at, id] of fresh.entries()) this.#note(id, old[at]!, index)
    return true
  }

  #keepNames(answered: AnsweredRequest, index: number): void {
    for (const id of foldedAnswer(answered).ids) this.#note(id, id, index)
  }

  #note(name: string, old: string, index: number): void {
    for (const conflict of this.#names.add(name, old, index))
      if (!this.#anew.has(conflict)) this.conflicts.add(conflict)
  }

  /** Notes the dropped numbers: a later prompt can contain them, such as the duration or the cost of an answer. */
  #drop(pair: Known, answered: AnsweredRequest, index: number, dropsUsage: boolean): void {
    const droppedOf = ({ figures, usage }: FoldedAnswer): string[] =>
      dropsUsage ? [...figures, ...usage] : figures
    const own = numbersIn(textOf(answered.incoming.wire.body))
    const old = new Set(droppedOf(foldedAnswer(pair)).flatMap((figure) => [...numbersIn(figure)]))
    for (const figure of droppedOf(foldedAnswer(answered)))
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
const FREE: ReadonlySet<ResponseRole | undefined> = new Set([
  'renewed',
  'renewed-in-pieces',
  'ignored',
  'usage',
])

/**
 * An answer that says the same as before: the old one. If its prompt changed, it repeats the parts of the new one, and
 * tells what that took.
 */
function keepAnswer(
  old: WireResponse,
  said: WireResponse,
  dialect: string,
  isSamePrompt: boolean,
): WireResponse {
  if (isSamePrompt) return old
  const body = takeUsage(
    takePlaces(old.body, said.body, dialect, 'repeats-request'),
    said.body,
    dialect,
  )
  return { ...old, body: body ?? takePlaces(said.body, old.body, dialect, 'ignored') }
}

/** A changed answer, with the old values of the headers that a provider sends with each answer and that do not count. */
function recutAnswer(old: WireResponse, said: WireResponse, dialect: string): WireResponse {
  const told = Object.entries(old.headers).filter(([name]) => !COUNTING_HEADERS.has(name))
  const counting = Object.entries(said.headers).filter(([name]) => COUNTING_HEADERS.has(name))
  return {
    ...said,
    headers: Object.fromEntries([...counting, ...told]),
    body: recutBody(old, said, dialect),
  }
}

/** A changed answer in the pieces of the old one, if they can say the same; else with the figures of the old one. */
function recutBody(old: WireResponse, said: WireResponse, dialect: string): Body {
  const places = responsePlaces(dialect)
  const cut = recut(old.body, said.body, (at) => FREE.has(roleAt(places, at)))
  const body = cut && takeUsage(cut, said.body, dialect)
  const says = (one: WireResponse): string => foldAnswer(one, dialect).said
  if (body && says({ ...said, body }) === says(said)) return body
  return takePlaces(said.body, old.body, dialect, 'ignored')
}

function readRecorded(exchanges: readonly Exchange[], volatile: readonly VolatileRule[]): Known[] {
  const reader = new RequestReader(volatile)
  return exchanges.flatMap((exchange, index): Known[] => {
    const { id, wire } = exchange
    const incoming = wire && reader.read(id, wire.request)
    if (!incoming || !isRecorded(exchange)) return []
    const durationMs = exchange.response.duration_ms
    return [{ index, part: exchange.part, incoming, response: exchange.wire.response, durationMs }]
  })
}

/** The numbers of three digits or more in a text: shorter ones occur by chance. */
function numbersIn(text: string): Set<string> {
  return new Set(text.match(/(?<![\w-])\d{3,}(?![\w-])/g) ?? [])
}

/** A text can contain values shorter than this by chance. */
const MIN_LENGTH = 9

/**
 * Maps the names in a new recording to the old ones: ids, and declared volatile values. If an answer keeps its old
 * names, all later messages that contain the new names are stored with the old ones as well.
 */
export class Names {
  readonly #old: Map<string, string> = new Map()
  /** The names that differ from the old ones. */
  readonly #changed: WholeWords = new WholeWords()
  /** The exchanges that a name comes from. */
  readonly #owners: Map<string, Set<number>> = new Map()

  /** Whether a name can be told from an ordinary word wherever it stands. */
  static isTelling(name: string): boolean {
    return name.length >= MIN_LENGTH && /\d|[a-z][A-Z]|[A-Z][a-z]/.test(name)
  }

  /**
   * Notes the old name for a new name in an exchange. Both are equal where the exchange keeps the new name.
   *
   * @returns the exchanges with this name if it has two different old names; none of them can keep its old names
   */
  add(name: string, old: string, exchange: number): number[] {
    const owners = this.#owners.get(name) ?? new Set()
    this.#owners.set(name, owners.add(exchange))
    const known = this.#old.get(name)
    if (known !== undefined && known !== old) return [...owners]
    this.#set(name, old)
    const [ours, theirs] = [name, old].map(respelled)
    for (const [index, spelled] of ours!.entries())
      if (!this.#old.has(spelled)) this.#set(spelled, theirs![index] ?? old)
    return []
  }

  #set(name: string, old: string): void {
    this.#old.set(name, old)
    if (name !== old) this.#changed.set(name, old)
  }

  /** A message of the new recording with the old names. */
  undo<Message extends WireRequest | WireResponse>(message: Message): Message {
    if (this.#changed.size === 0) return message
    const find = (text: string): TextSpan[] => this.#changed.find(text)
    const undone = replaceInBody(message, find)
    if (!('url' in undone)) return undone
    const url = replaceSpans(undone.url, find(undone.url))
    return url === undone.url ? undone : { ...undone, url }
  }
}

/** The other spellings in which clients send base64 back: that of Gemini comes back as base64url. */
function respelled(value: string): string[] {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(value)) return []
  const safe = value.replaceAll('+', '-').replaceAll('/', '_')
  return [safe, safe.replace(/=+$/, ''), value.replace(/=+$/, '')]
}

/**
 * Puts the texts of a new stream into the events of an old one, so that a different cut by the provider is no change.
 * The result may say something else: the caller has to compare it with the new stream.
 *
 * @param isRenewed tells which places do not count; they keep their old values
 * @returns `undefined` where the two have little in common
 */
export function recut(old: Body, fresh: Body, isRenewed: IsRenewed): Body | undefined {
  if (!isStream(old) || old.kind !== fresh.kind) return undefined
  const [before, after] = [old, fresh].map(textsOf) as [Texts, Texts]
  const same = [...before.keys()].every((channel) => after.has(channel))
  if (!same || before.size !== after.size) return undefined
  const changed = new Map<string, string>()
  const cut = new Map<Channel, string[]>()
  for (const [channel, pieces] of before) {
    const [was, is] = [pieces.join(''), after.get(channel)!.join('')]
    if (was === is) cut.set(channel, pieces)
    else {
      const span = changeOf(was, is)
      // One event would get all of the new text.
      const isNew = span.end - span.start > was.length / 2 || span.text.length > is.length / 2
      const anew = isNew ? cutAlike(pieces, was, is) : spreadSpans(pieces, [span])
      if (!anew) return undefined
      changed.set(was, is)
      cut.set(channel, anew)
    }
  }
  const body = mapTexts(old, (text, _place, channel) =>
    isPiece(channel) ? cut.get(channel)!.shift()! : (changed.get(text) ?? text),
  )
  return takeSingle(body, fresh, (value, at, event, name = '') => {
    if (isRenewed(at)) return null
    if (typeof value === 'object' && value !== null && !isRawNumber(value)) return undefined
    const type = isJsonObject(event) && typeof event.type === 'string' ? event.type : ''
    return [name, type, ...at].join(' ')
  })
}

/** A text that is so much longer or shorter than the one before comes in pieces of its own. */
const MOST_LONGER = 3

type At = JsonPlace
/** Whether the value at a place does not count. */
type IsRenewed = (at: At) => boolean
type Texts = Map<Channel, string[]>

function isPiece(channel: Channel | undefined): channel is Channel {
  return channel !== undefined && isInPieces(channel)
}

/** The texts that come in pieces. */
function textsOf(body: Body): Texts {
  const texts: Texts = new Map()
  mapTexts(body, (text, _place, channel) => {
    if (isPiece(channel)) texts.set(channel, [...(texts.get(channel) ?? []), text])
    return text
  })
  return texts
}

/** The change between the common start and the common end of two texts. */
function changeOf(was: string, is: string): TextSpan {
  const start = commonStart(was, is)
  const behind = commonEnd(was, is, start)
  return { start, end: was.length - behind, text: is.slice(start, is.length - behind) }
}

/** A new text in as many pieces as an old one of about its length; an event more would renumber those behind it. */
function cutAlike(pieces: readonly string[], was: string, is: string): string[] | undefined {
  const signs = [...is]
  const scale = signs.length / was.length
  let left = pieces.filter((piece) => piece !== '').length
  if (scale > MOST_LONGER || scale < 1 / MOST_LONGER || signs.length < left) return undefined
  let read = 0
  let start = 0
  return pieces.map((piece) => {
    if (piece === '') return ''
    read += piece.length
    left--
    const end = Math.min(Math.max(Math.round(read * scale), start + 1), signs.length - left)
    const cut = signs.slice(start, end).join('')
    start = end
    return cut
  })
}

/**
 * The key of a value that is taken from another body; `null` for one that stays, `undefined` for one that is looked
 * into.
 */
type KeyOf = (
  value: JsonValue,
  at: At,
  piece: JsonValue,
  name: string | undefined,
) => string | null | undefined

/**
 * A body with the values of another one, wherever each of the two has a single value with a key. A value that differs
 * from event to event belongs to its event.
 */
function takeSingle(body: Body, source: Body, keyOf: KeyOf): Body {
  const [own, others] = [body, source].map((one) => {
    const values = new Map<string, Map<string, JsonValue>>()
    mapKeyed(one, keyOf, (value, key) => {
      const known = values.get(key) ?? new Map<string, JsonValue>()
      const spelled = stableStringify(value)
      values.set(key, known.has(spelled) ? known : known.set(spelled, value))
      return value
    })
    return values
  })
  return mapKeyed(body, keyOf, (value, key) => {
    const [mine, theirs] = [own!.get(key), others!.get(key)]
    return mine?.size === 1 && theirs?.size === 1 ? [...theirs.values()][0]! : value
  })
}

function mapKeyed(
  body: Body,
  keyOf: KeyOf,
  change: (value: JsonValue, key: string) => JsonValue,
): Body {
  return mapBody(body, (piece, { name } = {}) =>
    rewrite(piece, (value, at) => {
      const key = keyOf(value, at, piece, name)
      if (typeof key === 'string') return change(value, key)
      return key === null ? value : undefined
    }),
  )
}

/** A body with the values of another one at the places of a role. */
function takePlaces(body: Body, source: Body, dialect: string, role: ResponseRole): Body {
  const places = responsePlaces(dialect)
  const isOfRole = (at: At): boolean => roleAt(places, at) === role
  const taken = takeSingle(body, source, (_, at) => (isOfRole(at) ? at.join() : undefined))
  return role === 'ignored' ? takePieces(taken, source, isOfRole) : taken
}

/**
 * A body with the usage of another one. A stream that tells it in several events gets the totals of the other in their
 * order, and the last one last.
 *
 * @returns `undefined` where the other tells it in a place that this one does not have
 */
function takeUsage(body: Body, source: Body, dialect: string): Body | undefined {
  const places = responsePlaces(dialect)
  const isUsage = (at: At): boolean => roleAt(places, at) === 'usage'
  const [own, told] = [body, source].map((one) => {
    const all = new Map<string, JsonObject[]>()
    mapUsage(one, isUsage, (usage, at) => {
      all.set(at, [...(all.get(at) ?? []), usage])
      return usage
    })
    return all
  }) as [Map<string, JsonObject[]>, Map<string, JsonObject[]>]
  if ([...told.keys()].some((at) => !own.has(at))) return undefined
  const taken = new Map<string, number>()
  return mapUsage(body, isUsage, (_, at) => {
    const count = (taken.get(at) ?? 0) + 1
    taken.set(at, count)
    const others = told.get(at) ?? []
    return others[Math.ceil((count * others.length) / own.get(at)!.length) - 1] ?? {}
  })
}

/** A body with other values of its usage, object by object. */
function mapUsage(
  body: Body,
  isUsage: (at: At) => boolean,
  change: (usage: JsonObject, at: string) => JsonObject,
): Body {
  return mapBody(body, (piece) => {
    return fold<JsonValue, At>(piece, [], (value, at, below) => {
      const inside = mapInside(value, (child, key) => below(child, [...at, key]))
      if (!isJsonObject(inside)) return inside
      const names = Object.keys(inside).filter((name) => isUsage([...at, name]))
      if (names.length === 0) return inside
      const usage = Object.fromEntries(names.map((name) => [name, inside[name]!]))
      const changed = change(usage, at.join())
      if (equal(changed, usage)) return inside
      // Its other values stay, and each where it stood.
      const stays = Object.entries(inside).filter(
        ([name]) => !names.includes(name) || Object.hasOwn(changed, name),
      )
      return Object.fromEntries([...stays, ...Object.entries(changed)])
    })
  })
}

/** A body with the pieces of another one, wherever the two differ in nothing but places that do not count. */
function takePieces(body: Body, source: Body, isFree: IsRenewed): Body {
  const bareKey = (value: JsonValue, name = ''): string => {
    const bare = rewrite(value, (_, at) => (isFree(at) ? null : undefined))
    return `${name} ${JSON.stringify(bare)}`
  }
  const known = Map.groupBy(piecesOf(source), ({ value, name }) => bareKey(value, name))
  return mapBody(
    body,
    (value, { name } = {}) => known.get(bareKey(value, name))?.shift()?.value ?? value,
  )
}
