import { isRecorded } from '../../cassette/cassette.ts'
import { matchesHost } from '../../config/hosts.ts'
import type { Content, PromptChange } from '../../diff/prompt-change.ts'
import { comparableTo } from '../../engine/incoming.ts'
import type { Recorded } from '../../engine/recorded.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import { differsInAddressAlone } from '../../features/keep-answer.ts'
import { suggestPart } from '../../features/suggest.ts'
import { isUnaskedExchange } from '../../engine/recorded.ts'
import { providerOf } from '../../providers/providers.ts'
import { leaveOut } from '../../text/leave-out.ts'
import { differingParts } from '../../text/common-ends.ts'
import { placeholdersIn } from '../../text/placeholders.ts'
import { printable } from '../../text/printable.ts'
import { textOf } from '../../wire/body.ts'
import { isMcpAddress } from '../../wire/address.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { Closest } from '../closest.ts'
import { askerOf, describeExchange, labelled, paint } from '../labelled.ts'
import { renderWays, waysOut } from '../ways-out.ts'
import {
  adviseOnIdentity,
  adviseOnParams,
  adviseOnPart,
  adviseOnSuggestion,
  askingTwice,
} from './advise-volatile.ts'
import { adviseOnBaseUrl, adviseOnEnvFile, explainAddress } from './explain-address.ts'
import { adviseOnCredential } from './advise-credential.ts'
import { adviseOnOtherResponses, adviseOnPace } from './advise-pace.ts'
import { adviseWriter } from './explain-written.ts'
import { WAIT_FOR_EXIT } from './show-command.ts'
import { hashStoredRequests } from '../../recording/describe.ts'
import { STARTED_HERE } from '../../errors.ts'

/** The commands that resolve a miss. */
export function advise(session: Session, miss: Miss, closest: Closest | undefined): string {
  const record = `\n  ${paint.bold(session.test.recordCommand)}`
  const asker = askerOf(session.test)
  if (miss.reason === 'closed')
    return (
      `The verdict on a ${asker} cannot depend on a request that is sent after its end, so it is not answered.\n` +
      `${miss.askedBy === undefined ? '' : `${WAIT_FOR_EXIT}\n`}Await it in the ${asker} that starts it, and record that ${asker} again:${record}` +
      adviseOnQueue(miss)
    )
  if (miss.conflict) {
    const { before, now } = miss.conflict
    return `${adviseOnIdentity([before.rule, now.rule], isOfTest(session, miss))}\nIf the change is meant, record this ${asker} again:${record}`
  }
  if (miss.credential)
    return `${adviseOnCredential(miss.credential)}\nIf the change is meant, record this ${asker} again:${record}`
  if (miss.turn) return adviseTurn(miss.turn, record)
  const isRepeat = session.countAnswering(miss.incoming) > 0
  if (closest && !closest.recorded.incoming) {
    const { exchange } = closest.recorded
    const advice = adviseWriter(exchange, miss.incoming, isRepeat, session.test.cassette)
    return `${advice}\nOr record the ${asker} in its place:${record}`
  }
  const pace = isRepeat ? adviseOnPace(session) : ''
  if (isRepeat)
    return `${pace && `${pace}\n`}If the ${asker} may ask once more, record it again:${record}`
  if (!closest) return `Record this ${asker}, and commit its cassette:${record}`
  // The hint says all that there is to do.
  if (isSettledByConfig(session, miss, closest)) return ''
  const what = isCompared(closest.recorded) ? 'If the change is meant' : 'To settle it'
  const ways = renderWays(waysOut(session, miss, closest.suggestion !== undefined))
  const isSorted = closest.changes.length > 0 && closest.changes.every(isOrder)
  return `${isSorted ? SORTED : ''}${what}, ${ways}`
}

const SORTED =
  'If nobody changed the order, a formatter or linter may have sorted the keys of the cassette. To check:\n' +
  '  npx vitest-cassette verify\n'

function isOrder({ place }: PromptChange): boolean {
  return 'path' in place && place.path.endsWith('(order)')
}

/** Whether a prompt can be compared with that of an exchange. */
function isCompared(recorded: Recorded): boolean {
  return recorded.incoming !== undefined && !isUnaskedExchange(recorded)
}

/** A queue that one test has started can also ask for another one. */
function adviseOnQueue({ running = [] }: Miss): string {
  return running
    .map(
      ({ id, recordCommand }) =>
        `\nIf a queue or a loop asks for "${printable(id)}", which was running, record that test:` +
        `\n  ${paint.bold(recordCommand)}`,
    )
    .join('')
}

function adviseTurn(turn: Recorded, record: string): string {
  const next = labelled('next', describeExchange(turn))
  return `${next}\n\nIf the new order is meant, record this test again:${record}`
}

/** Hints for a miss: values to declare, variables to set, a changed address. */
export function hintsOf(session: Session, miss: Miss, closest: Closest | undefined): string[] {
  const isPlain = miss.reason !== 'closed' && !miss.conflict && !miss.credential && !miss.turn
  if (!isPlain || (closest && !isCompared(closest.recorded))) return []
  return [
    ...volatileHintsOf(session, miss, closest),
    explainEdited(session, closest?.recorded),
    adviseOnAddress(session, closest, miss),
    adviseOnUnset(closest, miss),
    adviseOnUnlisted(session, miss),
    adviseOnEqualPrompts(session.recorded, closest?.recorded),
    adviseOnOtherResponses(session, closest, miss.incoming),
  ].filter((hint) => hint !== '')
}

function volatileHintsOf(session: Session, miss: Miss, closest: Closest | undefined): string[] {
  const { incoming } = miss
  if (closest?.suggestion)
    return [adviseOnSuggestion(closest.suggestion, session, isOfTest(session, miss))]
  const fresh = session.params.newIn(incoming.wire, session.cassette)
  if (fresh.length > 0) return [adviseOnParams(fresh)]
  const rules = incoming.volatile.map(({ rule }) => rule)
  if (closest?.identity) return [adviseOnIdentity(rules, isOfTest(session, miss))]
  const known = closest?.recorded.incoming
  const part = known && suggestPart(known, comparableTo(known, incoming), session.config.volatile)
  if (part) return [adviseOnPart(part, session)]
  return closest ? [adviseOnMadeUp(closest.changes, session)] : []
}

/** Whether the test itself made the request. It can stop its own clock, but not that of a program. */
function isOfTest({ test }: Session, { callSite }: Miss): boolean {
  return test.optionsOf === undefined && callSite?.message !== STARTED_HERE
}

function adviseOnAddress(
  { config }: Session,
  closest: Closest | undefined,
  { incoming }: Miss,
): string {
  const recorded = closest?.recorded.incoming
  const text = recorded ? explainAddress(recorded.wire, incoming.wire) : ''
  if (!recorded || text === '') return ''
  if (!differsInAddressAlone(recorded, incoming, config.volatile)) return text
  const advice =
    adviseOnEnvFile(recorded.wire, incoming.wire) || adviseOnBaseUrl(recorded.wire, incoming.wire)
  return `${text}\n${advice}`
}

/** Whether a line in the config settles a miss, so that nothing has to be recorded. */
export function isSettledByConfig(
  { config }: Session,
  { incoming }: Miss,
  closest: Closest | undefined,
): boolean {
  const recorded = closest?.recorded.incoming
  if (!recorded || explainAddress(recorded.wire, incoming.wire) === '') return false
  return (
    differsInAddressAlone(recorded, incoming, config.volatile) &&
    adviseOnEnvFile(recorded.wire, incoming.wire) !== ''
  )
}

/** Names the option for a request at a host that nobody listed; only its path says that a model answers there. */
function adviseOnUnlisted({ config, recorded }: Session, { incoming }: Miss): string {
  const { url } = incoming.wire
  const address = new URL(url)
  const isListed =
    providerOf(address) !== undefined || matchesHost(address, [...config.hosts, ...config.mcp])
  const isRecorded = recorded.some((entry) => entry.incoming?.wire.url === url)
  return isListed || isRecorded || isMcpAddress(url) ? '' : leaveOut(address.host)
}

function adviseOnUnset(closest: Closest | undefined, { incoming }: Miss): string {
  const recorded = closest?.recorded.incoming
  const names = recorded ? unsetVariables(recorded.wire, incoming.wire) : []
  if (names.length === 0) return ''
  return `Not set here, though the recorded prompt held its value: ${names.join(', ')}. Any value does.`
}

/** How many digits have to differ. Fewer are rather an edit: another limit, another year. */
const MIN_DIGITS = 3

/** How long the lines that differ may be, in UTF-16 units: a pattern that runs over megabytes may exhaust the stack. */
const MAX_SEARCHED = 1_000_000

/** The command that finds a rule, where only words differ that look made up for each run, such as `TCK-682673`. */
function adviseOnMadeUp(changes: readonly PromptChange[], { test }: Session): string {
  const command = askingTwice(test.recordCommand)
  const found = changes.map(madeUpIn)
  if (!command || found.length === 0 || found.includes(undefined)) return ''
  const words = [...new Set(found.flat())]
  const [what, them] = words.length === 1 ? ['This looks', 'it is'] : ['These look', 'they are']
  return [
    `${what} made up. If ${them} different in every run, this command says how to declare that:`,
    ...words.slice(0, 3).map((word) => printable(`  ${word}`)),
    `  ${paint.bold(command)}`,
  ].join('\n')
}

/** The pairs of words that differ, if only such words do. */
function madeUpIn(change: PromptChange): string[] | undefined {
  if (change.kind !== 'edited' || change.place.area !== 'message') return undefined
  const [before, after] = [plainTextOf(change.before), plainTextOf(change.after)]
  if (before === undefined || after === undefined) return undefined
  const lines = differingParts(before, after, (character) => character !== '\n')
  if (lines.some((text) => text.length > MAX_SEARCHED)) return undefined
  const [one, other] = lines.map((text) => text.split(/([\s"'`<>()[\]{},;]+)/)) as [
    string[],
    string[],
  ]
  if (one.length !== other.length) return undefined
  const pairs = one.flatMap((word, at) => (word === other[at] ? [] : [[word, other[at]!] as const]))
  return pairs.length > 0 && pairs.every(areMadeUp)
    ? pairs.map(([word, now]) => `${JSON.stringify(word)} → ${JSON.stringify(now)}`)
    : undefined
}

function plainTextOf(content: Content): string | undefined {
  const text = content.type === 'text' ? content.text : content.type === 'value' && content.value
  return typeof text === 'string' ? text : undefined
}

/** A word in which letters and digits mix, as nobody writes one: `q7x2m9`. */
const RANDOM = /(?<![a-z\d])(?=(?:[a-z]*\d){2})(?=(?:\d*[a-z]){2})[a-z\d]{6,}(?![a-z\d])/i

/** Whether two words are alike but for their digits, or both are random. */
function areMadeUp([one, other]: readonly [string, string]): boolean {
  const areRandom = one.length === other.length && RANDOM.test(one) && RANDOM.test(other)
  if (!areRandom && one.replace(/\d/g, '0') !== other.replace(/\d/g, '0')) return false
  return [...one].filter((unit, at) => unit !== other[at]).length >= MIN_DIGITS
}

/**
 * Names exchanges with the same prompt whose different answers are parts of a prompt that changed: asked at the same
 * time, they may have been answered in another order. Empty where there are none.
 */
function adviseOnEqualPrompts(
  recorded: readonly Recorded[],
  changed: Recorded | undefined,
): string {
  if (!changed?.incoming) return ''
  const body = textOf(changed.incoming.wire.body)
  const isPart = ({ exchange: { response } }: Recorded): boolean =>
    response.text !== '' && body.includes(JSON.stringify(response.text).slice(1, -1))
  const parts = recorded.filter((entry) => entry.incoming && isPart(entry))
  const equal = [...Map.groupBy(parts, ({ incoming }) => incoming!.hash).values()].find(
    (group) => new Set(group.map(({ exchange }) => exchange.response.text)).size > 1,
  )
  if (!equal) return ''
  const ids = equal.map(({ exchange }) => exchange.id).join(', ')
  return (
    `The recorded prompt holds the answers of ${ids}, which have one and the same prompt. They are answered in the order in which they are asked.\n` +
    'If your application asks them at the same time, that order may vary: let their prompts differ, by a number for instance.'
  )
}

/** Says that the recorded request, and not the prompt, was edited; empty where its hash is the stored one. */
function explainEdited({ cassette, params }: Session, recorded?: Recorded): string {
  // Parameters of the test are put into the recorded requests, which then have other hashes.
  if (!cassette || !recorded || !params.none || cassette.params) return ''
  const { exchanges } = cassette
  const place = exchanges.findIndex(({ id }) => id === recorded.exchange.id)
  const exchange = exchanges[place]
  if (!exchange || !isRecorded(exchange)) return ''
  const hashes = hashStoredRequests(
    exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
  )
  // Another program writes none.
  const stored: string | undefined = exchange.prompt.hash
  if (stored === undefined || hashes[place] === stored) return ''
  return `The request of ${exchange.id} was edited in the cassette after it was recorded, as its hash shows. If nobody meant that, restore the file from git.`
}

/** Variables are written in capitals; the names of headers and fields are not. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/** The variables whose values stood in a recorded prompt, and that are not set here. */
function unsetVariables(recorded: WireRequest, asked: WireRequest): string[] {
  const there = namesIn(asked)
  return [...namesIn(recorded)].filter(
    (name) => !there.has(name) && process.env[name] === undefined,
  )
}

function namesIn({ body }: WireRequest): Set<string> {
  return new Set(
    placeholdersIn(textOf(body)).flatMap(({ name }) => (VARIABLE.test(name) ? name : [])),
  )
}
