import stableStringify from 'fast-json-stable-stringify'
import { type Cassette, isRecorded } from '../cassette/cassette.ts'
import { readSteps, type RecordedStep } from '../conversation/step.ts'
import { type LinkedStep, linkThreads } from '../conversation/threads.ts'
import { similarity } from '../diff/similarity.ts'
import { pairsBetween } from '../engine/bind.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { KeptPlace } from '../engine/match.ts'
import { comparableTo, type Incoming, readIncoming } from '../engine/incoming.ts'
import type { Course } from '../engine/rare-cases.ts'
import { comparedPromptFor, dialectFor } from '../engine/read-prompt.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Part } from '../prompt/prompt.ts'
import { rememberFor } from '../remember.ts'
import { isUnasked } from '../wire/imported.ts'
import { isMcpAddress } from '../wire/address.ts'
import { askedThreadsOf } from './asked-threads.ts'
import { findUnasked } from './unasked.ts'
import { isUnaskedExchange } from '../engine/recorded.ts'

/**
 * Finds the exchange at the place that a prompt has in its conversation: after the same exchange, with the same number
 * among its successors. The texts of the prompts can rule it out: where the outlines differ, or where another exchange is
 * at least as similar to the prompt. They choose another successor only if its own words are in the prompt, and those of
 * no other one: requests sent at once are recorded in the order in which their responses ended.
 */
export function keepAnswer(course: Course, incoming: Incoming): KeptPlace {
  if (incoming.wire.method === 'SEND') return refuse('it was sent over a socket')
  if (isMcpAddress(incoming.wire.url))
    return refuse('the answer of a tool depends on its arguments')
  const unasked = findUnasked(course, incoming)
  if (unasked) return takeOver(course, unasked)
  const places = placesOf(course, incoming)
  const { bindings, config } = course
  const undone = bindings.undo(incoming)
  const { before } = incoming
  const sent = undone ? readIncoming(undone, { volatile: config.volatile, before }) : incoming
  const own = places?.own
  const isOwn = own && !own.played && isInItsWords(course, own, sent)
  const named = isOwn || !places || !config.unordered ? undefined : namedBy(course, places, sent)
  const recorded = named ?? own
  const isOutOfOrder = (): boolean =>
    places !== undefined && places.others.some((other) => isInItsWords(course, other, sent))
  if (!recorded || recorded.played)
    return refuse(isOutOfOrder() ? OTHER_PLACE : 'nothing is recorded in its place')
  const known = recorded.incoming
  if (!known || !isRecorded(recorded.exchange)) return refuse('a person wrote the answer')
  if (isUnaskedExchange(recorded)) return refuse('the exchange in its place has another address')

  const asked = comparableTo(known, sent)
  const difference = differenceOfOutlines(known, asked)
  // A gateway that moved answers the same prompts.
  if (difference && !differsInAddressAlone(known, sent, config.volatile))
    return refuse(isOutOfOrder() ? OTHER_PLACE : `${difference} changed as well`)
  if (!isClosest(course, recorded, asked))
    return refuse(
      `another exchange is as much like it as the one in its place${isOutOfOrder() ? `: ${ORDER}` : ''}`,
    )
  if (!config.unordered && course.unused[0] !== recorded) return refuse('it was asked out of turn')

  const between = pairsBetween(known, asked)
  const pairs = undone ? bindings.redo(between) : between
  if (bindings.conflictOf(pairs)) return refuse('its volatile values stood for others before')
  return { found: { recorded, pairs: () => pairs, kept: true } }
}

/** Whether a request would be the recorded one, if it were asked at the recorded address. */
export function differsInAddressAlone(
  recorded: Incoming,
  { wire, before }: Incoming,
  volatile: readonly VolatileRule[] | undefined,
): boolean {
  if (wire.url === recorded.wire.url) return false
  const there = readIncoming({ ...wire, url: recorded.wire.url }, { volatile, before })
  return comparableTo(recorded, there).hash === recorded.hash
}

/** Gives a request the answer of an exchange without a known prompt, which then has its prompt. */
function takeOver({ config, unused }: Course, recorded: Recorded): KeptPlace {
  if (!config.unordered && unused[0] !== recorded) return refuse('it was asked out of turn')
  return { found: { recorded, pairs: () => [], kept: true, takesPrompt: true } }
}

/** The rule that requests sent at the same time break if they arrive in another order than the recorded one. */
const ORDER =
  'unless words of their own tell them apart, conversations, and requests sent at once, have to come in the recorded order'
const OTHER_PLACE = `the exchange most like it has another place: ${ORDER}`

function refuse(notKept: string): KeptPlace {
  return { notKept }
}

/** The exchanges that follow the one before a prompt: the one in its place, and the unused ones in other places. */
interface Places {
  own?: Recorded
  others: Recorded[]
  all: Recorded[]
}

function placesOf(course: Course, incoming: Incoming): Places | undefined {
  if (!course.cassette) return undefined
  const threads = askedThreadsOf(course)
  const { linked } = threads
  const after = threads.before(incoming)?.step.asked?.replayed
  const turn = linked.filter(({ before }) => before?.step.asked?.replayed === after).length
  const places = recordedPlaces(course.cassette)
    .filter(({ before }) => before?.step.exchange === after)
    .map(({ step }) => course.recorded.find(({ exchange }) => exchange === step.exchange))
  const own = places[turn]
  const isOther = (one: Recorded | undefined): one is Recorded =>
    one !== undefined && one !== own && !one.played
  const all = places.filter((one) => one !== undefined)
  return { ...(own ? { own } : {}), others: places.filter(isOther), all }
}

/** The exchange in another place whose words name it: of those with the same outline, no other one has them. */
function namedBy(course: Course, { others, all }: Places, sent: Incoming): Recorded | undefined {
  const named = others.find((one) => isInItsWords(course, one, sent))
  if (!named) return undefined
  const { incoming: known } = named
  const rivals = all.flatMap(({ incoming }) => {
    const isRival = incoming && known && incoming.hash !== known.hash
    return isRival && differenceOfOutlines(incoming, known) === undefined ? [incoming] : []
  })
  const [asked, ...sets] = [sent, known!, ...rivals].map(wordsOf)
  const ownOf = (set: Set<string>): string[] =>
    [...set].filter((word) => sets.every((one) => one === set || !one.has(word)))
  const [own, ...theirs] = sets.map(ownOf)
  const isNamed =
    own!.length > 0 &&
    own!.every((word) => asked!.has(word)) &&
    !theirs.flat().some((word) => asked!.has(word))
  return rivals.length > 0 && isNamed ? named : undefined
}

/** The words of a prompt. */
function wordsOf(incoming: Incoming): Set<string> {
  const { messages } = comparedPromptFor(incoming)
  return new Set(JSON.stringify(messages).match(/[\p{L}\p{N}]+/gu))
}

/** Whether a prompt differs from that of an exchange in words alone, and no other exchange is more similar. */
function isInItsWords(course: Course, recorded: Recorded, sent: Incoming): boolean {
  const { incoming: known } = recorded
  if (!known) return false
  const asked = comparableTo(known, sent)
  return differenceOfOutlines(known, asked) === undefined && isClosest(course, recorded, asked)
}

/** The steps of a cassette, read once for all of its prompts that changed. */
const recordedPlaces = rememberFor((cassette: Cassette): Array<LinkedStep<RecordedStep>> =>
  linkThreads(readSteps(cassette)).flatMap(({ steps }) => steps),
)

/** Whether it is more similar than all unused exchanges with another prompt; those with its prompt answer in order. */
function isClosest({ unused }: Course, recorded: Recorded, asked: Incoming): boolean {
  const likeness = (known: Incoming): number =>
    similarity(comparedPromptFor(known), comparedPromptFor(asked))
  const { hash } = recorded.incoming!
  const rivals = unused.flatMap(({ incoming }) =>
    incoming && incoming.hash !== hash && !isUnasked(incoming.wire) ? incoming : [],
  )
  if (rivals.length === 0) return true
  const alike = likeness(recorded.incoming!)
  return rivals.every((rival) => likeness(rival) < alike)
}

/** The parts of a prompt that must not change for its answer to be kept, by their names in a failure. */
type Outline = Record<string, unknown>

/** The first part of the outlines in which two prompts differ; `undefined` where only words differ. */
function differenceOfOutlines(recorded: Incoming, asked: Incoming): string | undefined {
  const [known, here] = [outlineOf(recorded), outlineOf(asked)]
  return Object.keys(known).find((name) => print(known[name]) !== print(here[name]))
}

function outlineOf(incoming: Incoming): Outline {
  const { canonical, volatile } = incoming
  const { method, endpoint, path, query, headers, after } = canonical
  const { operation, model, parameters, messages, tools } = comparedPromptFor(incoming)
  const ids: Array<string | undefined> = []
  return {
    'the wire format': dialectFor(incoming).name,
    'the address': { method, endpoint, path, query, headers, after },
    'the operation': operation,
    'the model': model,
    'the way it is streamed': parameters.stream,
    'the order of the messages': messages.map(({ role }) => role),
    'the parts of messages': messages.map(({ parts }) =>
      parts.map((part) => outlineOfPart(part, ids)),
    ),
    'the list of tools': tools.map(({ name }) => name),
    'the number of volatile values': volatile.map(({ rule }) => rule),
  }
}

/** Ids compare by their order of first appearance, since some SDKs generate them. */
function outlineOfPart(part: Part, ids: Array<string | undefined>): unknown {
  if (part.type === 'text' || part.type === 'reasoning') return part.type
  if (part.type !== 'tool_call' && part.type !== 'tool_call_response') return part
  if (!ids.includes(part.id)) ids.push(part.id)
  return [part.type, ids.indexOf(part.id), part.type === 'tool_call' ? part.name : '']
}

function print(value: unknown): string {
  return stableStringify([value])
}
