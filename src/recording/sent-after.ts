import type { TimeSpan } from '../cassette/cassette.ts'
import { isJsonObject } from '../json/json-value.ts'
import { everyValue, textsOfJson, valueAt } from '../json/walk.ts'
import { STATES } from '../providers/compared-parts.ts'
import { jsonOf } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { KeptTurn, Turn } from './describe.ts'

/** A request of one recording. */
export interface TimedRequest {
  request: WireRequest
  response: WireResponse
  /** Its name in this recording. */
  name?: string | undefined
  span?: TimeSpan | undefined
}

/** The turns, each of this run with the one after which it was sent. */
export function inTheirOrder<One extends KeptTurn>(turns: readonly One[]): One[] {
  const fresh = turns.filter((turn) => 'incoming' in turn && turn.span) as Array<One & Turn>
  const names = sentAfter(fresh.map((turn) => ({ ...turn, request: turn.incoming.wire })))
  const after = new Map<One, string | undefined>(fresh.map((turn, at) => [turn, names[at]]))
  return turns.map((turn) => (after.get(turn) ? { ...turn, after: after.get(turn) } : turn))
}

/**
 * For each request, the name of the one after whose response it was sent, if both are about the same state of the
 * provider: the last that can have changed it. "Order" in docs/drift.md says what is a state.
 */
export function sentAfter(sent: readonly TimedRequest[]): Array<string | undefined> {
  const states = statesOf(sent)
  return sent.map(({ span }, index) => {
    const own = states[index]!
    if (!span || own.used.size === 0) return undefined
    let last: TimedRequest | undefined
    for (const [at, earlier] of sent.entries()) {
      if (!earlier.span || earlier.span.ended >= span.created || isRead(earlier.request)) continue
      if (last && last.span!.ended > earlier.span.ended) continue
      if (isAboutSame(states[at]!, own)) last = earlier
    }
    return last?.name
  })
}

/** The ids of states that a request names: those that it is about, and all that it uses. */
interface NamedStates {
  about: ReadonlySet<string>
  used: ReadonlySet<string>
}

const NONE: NamedStates = { about: new Set(), used: new Set() }

function isAboutSame(one: NamedStates, other: NamedStates): boolean {
  const shares = (ids: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
    [...ids].some((id) => others.has(id))
  return shares(one.about, other.used) || shares(other.about, one.used)
}

function isRead({ method }: WireRequest): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

function statesOf(sent: readonly TimedRequest[]): NamedStates[] {
  const addresses = sent.map(({ request }) => addressOf(request))
  const isGiven = givenIds(sent, addresses)
  const about = sent.map(({ request }, index) => {
    const url = addresses[index]
    return new Set(url ? [...idsInPath(url, isGiven), ...idsInFields(url, request)] : [])
  })
  const all = new Set(about.flatMap((ids) => [...ids]))
  if (all.size === 0) return sent.map(() => NONE)
  return sent.map(({ request }, index) => {
    const used = new Set(about[index])
    const url = addresses[index]
    if (url) for (const id of idsInBody(url, request, all)) used.add(id)
    return { about: about[index]!, used }
  })
}

/** The address of a request; `undefined` for a message on a socket, and for one of another protocol than HTTP. */
function addressOf({ method, url }: WireRequest): URL | undefined {
  return method !== 'SEND' && url.startsWith('http') ? new URL(url) : undefined
}

/** An id of one host does not name anything at another. */
function idAt({ host }: URL, id: string): string {
  return `${host} ${id}`
}

/** Collections whose members have a state that requests read and change. */
const COLLECTIONS =
  /^(?:assistants|batches|cachedContents|calls|chats|containers|conversations|evals|files|interactions|jobs|messages|predictions|requests|responses|runs|sessions|threads|uploads|vector_stores)$/

/** What stands before the name of a model, or of who asks: neither is a state, however it looks. */
const NO_STATES =
  /^(?:accounts|deployments|endpoints|engines|gateways|locations|model|models|organizations|projects|publishers|text-to-speech|voices|workspaces)$/

interface Segment {
  /** The segment before it. */
  above: string
  id: string
}

/** The segments of a path that may be ids; a verb behind a colon, as Google writes it, is none. */
function segmentsOf({ pathname }: URL): Segment[] {
  const segments = pathname.split('/').filter(Boolean)
  return segments.flatMap((segment, at) => {
    const above = segments[at - 1]
    if (above === undefined || NO_STATES.test(above)) return []
    return [{ above, id: segment.replace(/:[a-z]\w*$/i, '') }]
  })
}

function idsInPath(url: URL, isGiven: (id: string) => boolean): string[] {
  return segmentsOf(url)
    .filter((segment) => isMember(segment) || isGiven(segment.id))
    .map(({ id }) => idAt(url, id))
}

/** Whether a segment is a member of a collection, and no action on it: it has a digit, or begins as `thread_` does. */
function isMember({ above, id }: Segment): boolean {
  if (!COLLECTIONS.test(above)) return false
  return /\d/.test(id) || (id.startsWith(above.slice(0, 3)) && /[_-]/.test(id))
}

/** The states that fields and parameters name. The earlier answer of `previous_response_id` never changes. */
function idsInFields(url: URL, { body }: WireRequest): string[] {
  const value = jsonOf(body)
  return STATES.flatMap((place) => {
    const id = valueAt(value, place.split('.')) ?? url.searchParams.get(place)
    return typeof id === 'string' && id !== '' ? [idAt(url, id)] : []
  })
}

/** Of these ids, those that stand in the body as a whole text. */
function idsInBody(url: URL, { body }: WireRequest, all: ReadonlySet<string>): string[] {
  const value = jsonOf(body)
  const texts = value === undefined ? [] : [...textsOfJson(value)]
  // Google's names of resources have their collection before them.
  return texts
    .map((text) => idAt(url, text.slice(text.lastIndexOf('/') + 1)))
    .filter((id) => all.has(id))
}

/** Whether an answer of this recording gave a segment of an address as an id. */
function givenIds(
  sent: readonly TimedRequest[],
  addresses: readonly (URL | undefined)[],
): (id: string) => boolean {
  const isWanted = addresses.some((url) => url && segmentsOf(url).some(({ id }) => isLikeId(id)))
  const given = new Set<string>()
  for (const { response } of isWanted ? sent : [])
    for (const value of everyValue(jsonOf(response.body) ?? null))
      if (isJsonObject(value))
        for (const [key, id] of Object.entries(value))
          // Google gives the names of resources: `cachedContents/abc`.
          if (typeof id === 'string' && (ID_KEY.test(key) || (key === 'name' && id.includes('/'))))
            given.add(id.split('/').at(-1)!)
  return (id) => isLikeId(id) && given.has(id)
}

const ID_KEY = /^id$|_id$|Id$/

/** A word of letters alone is a part of the address, and so is `v1`. */
function isLikeId(segment: string): boolean {
  return /\d/.test(segment) && !/^v\d/.test(segment)
}
